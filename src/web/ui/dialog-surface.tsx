import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal } from 'react-aria-components/Modal';
import { useArea } from '../forms/unsaved-changes.ts';
import { useTranslation } from '../i18n/translate.ts';
import { IconButton } from './button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';
import { focusFirstField } from './focus-target.ts';
import { PageOverlay } from './page-overlay.tsx';
import { useBackCloses } from './use-back-closes.ts';

export type DialogProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  children: ReactNode;
  /** A question that must be answered: announced immediately, and a click outside does not close it. */
  isAlert?: boolean;
};

/** The dialog itself; `Dialog` loads it. */
export function DialogSurface({ title, isOpen, onClose, children, isAlert = false }: DialogProps) {
  const { t } = useTranslation();
  const { Area, area, leave } = useArea();
  const close = () => leave(onClose);
  useBackCloses(isOpen, close);
  return (
    <PageOverlay
      isOpen={isOpen}
      onOpenChange={(opened) => {
        if (!opened) close();
      }}
      isDismissable={!isAlert}
      className="fixed inset-x-0 top-0 z-20 flex h-(--visual-viewport-height) items-end justify-center bg-veil transition-opacity entering:opacity-0 exiting:opacity-0 sm:items-center sm:p-6"
    >
      <Modal className="flex max-h-[92%] w-full flex-col overflow-hidden rounded-t-3xl bg-card floating transition-transform entering:translate-y-8 exiting:translate-y-8 sm:max-h-full sm:max-w-lg sm:rounded-card forced-colors:border">
        <AriaDialog role={isAlert ? 'alertdialog' : 'dialog'} className="flex min-h-0 flex-col outline-none">
          <header className="flex items-center justify-between gap-3 pt-3 pr-2 pl-5 sm:pr-3 sm:pl-6">
            <Heading slot="title" level={2} className="min-w-0 py-2 text-xl font-semibold">
              {title}
            </Heading>
            {!isAlert && (
              <IconButton
                label={t('web:close')}
                icon={<X aria-hidden="true" className="size-5" />}
                onPress={close}
              />
            )}
          </header>
          <div
            ref={focusFirstField}
            className="min-h-0 overflow-y-auto px-5 pt-1 pb-[max(1.25rem,env(safe-area-inset-bottom))] sm:px-6 sm:pb-6"
          >
            <Area value={area}>
              <ErrorBoundary>{children}</ErrorBoundary>
            </Area>
          </div>
        </AriaDialog>
      </Modal>
    </PageOverlay>
  );
}
