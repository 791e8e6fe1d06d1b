import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readStored, writeStored } from '#web/lib/storage.ts';
import { type TextKey, useText } from '#web/lib/text.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

const STORED = 'keyboardShortcuts';
const OFF = 'off';

/** How soon the second key of a sequence must follow the first. */
const NEXT_KEY_MS = 1_500;

/**
 * Keyboard shortcuts, active while nothing is being typed and no dialog is open; 'g a' means one key after the other.
 * They can be switched off (WCAG 2.1.4).
 */
export function useShortcuts(keys: Readonly<Record<string, () => void>>) {
  const [isOn, setIsOn] = useState(() => readStored(STORED) !== OFF);
  const before = useRef({ key: '', at: 0 });
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (!isOn || !isFree(event)) return;
    const { key, timeStamp } = event;
    const isNext = timeStamp - before.current.at < NEXT_KEY_MS;
    const act = (isNext ? keys[`${before.current.key} ${key}`] : undefined) ?? keys[key];
    before.current = { key, at: timeStamp };
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  useEffect(() => {
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return {
    isOn,
    turn(next: boolean) {
      writeStored(STORED, next ? null : OFF);
      setIsOn(next);
    },
  };
}

const TYPING = 'input:not([type="radio"], [type="checkbox"]), select, textarea, [contenteditable]';
const PRESSABLE = 'a, button, input, summary, [role="tab"], [role="menuitem"]';
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether a key press is free for a shortcut: not typing, not in a dialog, and not Enter on a button. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing)
    return false;
  if (document.querySelector(OVER_THE_PAGE) !== null) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  return target.closest(event.key === 'Enter' ? `${TYPING}, ${PRESSABLE}` : TYPING) === null;
}

/** The keys to press, and what they do. */
export type Shortcut = readonly [keys: readonly string[], what: TextKey];

type ShortcutsDialogProps = {
  list: readonly Shortcut[];
  isOpen: boolean;
  onClose: () => void;
  isOn: boolean;
  onTurn: (isOn: boolean) => void;
};

/** The list of shortcuts, with a switch to turn them off. */
export function ShortcutsDialog({ list, isOpen, onClose, isOn, onTurn }: ShortcutsDialogProps) {
  const { t } = useText();
  return (
    <Dialog title={t('web:shortcuts')} isOpen={isOpen} onClose={onClose}>
      <dl className={`flex flex-col gap-1 ${isOn ? '' : 'opacity-60'}`}>
        {list.map(([keys, what]) => (
          <div key={what} className="flex min-h-10 flex-wrap items-center justify-between gap-x-4">
            <dt className="min-w-0 wrap-anywhere">{t(what)}</dt>
            <dd className="flex flex-wrap gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-lg border border-field bg-page px-2 py-0.5 text-center font-sans text-dense"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <div className="-mx-2 mt-3 border-t border-line pt-2">
        <Checkbox isSelected={isOn} onChange={onTurn}>
          {t('web:shortcutsOn')}
        </Checkbox>
      </div>
    </Dialog>
  );
}
