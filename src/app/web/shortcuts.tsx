import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { readStored, writeStored } from '#web/api/browser-storage.ts';
import { lazyDialog } from '#web/ui/lazy-screen.tsx';

const STORAGE_KEY = 'keyboardShortcuts';
const OFF = 'off';

/** The longest delay between the two keys of a sequence. */
const NEXT_KEY_MS = 1_500;

/**
 * Keyboard shortcuts, active while nothing is being typed and no dialog is open; 'g a' is a sequence of two keys. They
 * can be turned off (WCAG 2.1.4).
 */
export function useShortcuts(keys: Readonly<Record<string, () => void>>) {
  const [isOn, setIsOn] = useState(() => readStored(STORAGE_KEY) !== OFF);
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
    toggle(next: boolean) {
      writeStored(STORAGE_KEY, next ? null : OFF);
      setIsOn(next);
    },
  };
}

const TYPING = 'input:not([type="radio"], [type="checkbox"]), select, textarea, [contenteditable]';
const PRESSABLE = 'a, button, input, summary, [role="tab"], [role="menuitem"]';
const OVER_THE_PAGE = '[role="dialog"], [role="alertdialog"], [role="menu"]';

/** Whether a key press can be a shortcut: not typing, not in a dialog, and not Enter on a button. */
export function isFree(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey || event.isComposing)
    return false;
  if (document.querySelector(OVER_THE_PAGE) !== null) return false;
  const target = event.target instanceof Element ? event.target : document.body;
  return target.closest(event.key === 'Enter' ? `${TYPING}, ${PRESSABLE}` : TYPING) === null;
}

/** The list of shortcuts, loaded in the background. */
export const Shortcuts = lazyDialog(async () => (await import('./shortcuts-dialog.tsx')).ShortcutsDialog);
