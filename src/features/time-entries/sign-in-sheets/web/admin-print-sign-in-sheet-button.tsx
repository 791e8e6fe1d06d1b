import { type ReactNode, useState } from 'react';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { lazyScreen, rows } from '#web/ui/lazy-screen.tsx';

const PrintSheetForm = lazyScreen(
  async () => (await import('./admin-sign-in-sheet-form.tsx')).PrintSheetForm,
  rows(5),
);

type Printing = Readonly<{ activity: Readonly<{ id: Id; name: string }>; date: CalendarDate }>;

/** The dialog that prints a sign-in sheet, and a function that opens it. Its form is loaded on demand. */
export function usePrintSheet(): { open: (printing: Printing) => void; dialog: ReactNode } {
  const { t } = useTranslation();
  const [printing, setPrinting] = useState<Printing>();
  const close = () => setPrinting(undefined);
  return {
    open: setPrinting,
    dialog: (
      <Dialog title={t('time-entries:printSheet')} isOpen={printing !== undefined} onClose={close}>
        {printing !== undefined && <PrintSheetForm {...printing} onClose={close} />}
      </Dialog>
    ),
  };
}
