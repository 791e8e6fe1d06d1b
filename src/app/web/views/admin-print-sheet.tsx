import { type ReactNode, useState } from 'react';
import type { CalendarDate } from '#base/calendar-date.ts';
import type { Id } from '#base/id.ts';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { LoadedPart } from './loaded-part.tsx';

type Printing = Readonly<{ activity: Readonly<{ id: Id; name: string }>; date: CalendarDate }>;

/** The dialog that prints a sign-in sheet, and what opens it. Its form is loaded then. */
export function usePrintSheet(): { open: (printing: Printing) => void; dialog: ReactNode } {
  const { t } = useText();
  const [printing, setPrinting] = useState<Printing>();
  const part = usePart('print-sheet', () => import('./admin-print-sheet-part.tsx'), printing !== undefined);
  const close = () => setPrinting(undefined);
  return {
    open: setPrinting,
    dialog: (
      <Dialog title={t('time-entries:printSheet')} isOpen={printing !== undefined} onClose={close}>
        {printing !== undefined && (
          <LoadedPart part={part} rows={5}>
            {({ PrintSheetForm }) => <PrintSheetForm {...printing} onClose={close} />}
          </LoadedPart>
        )}
      </Dialog>
    ),
  };
}
