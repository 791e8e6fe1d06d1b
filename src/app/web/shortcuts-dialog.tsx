import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';

/** The keys to press, and the action they trigger. */
export type Shortcut = readonly [keys: readonly string[], what: MessageKey];

export type ShortcutsDialogProps = {
  list: readonly Shortcut[];
  isOpen: boolean;
  onClose: () => void;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
};

/** The list of shortcuts, with a switch to turn them off. */
export function ShortcutsDialog({ list, isOpen, onClose, isOn, onToggle }: ShortcutsDialogProps) {
  const { t } = useTranslation();
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
        <Checkbox isSelected={isOn} onChange={onToggle}>
          {t('web:shortcutsOn')}
        </Checkbox>
      </div>
    </Dialog>
  );
}
