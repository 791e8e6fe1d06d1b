import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { Dialog as AriaDialog } from 'react-aria-components/Dialog';
import { Heading } from 'react-aria-components/Heading';
import { Modal } from 'react-aria-components/Modal';
import { useArea } from '../../forms/unsaved-changes.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { IconButton } from '../button.tsx';
import { ErrorBoundary } from '../error-boundary.tsx';
import { focusFirstField } from '../focus-target.ts';
import { PageOverlay } from '../page-overlay.tsx';
import { useBackCloses } from '../use-back-closes.ts';

export type SidePanelProps = {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Shown next to the close button, such as a link to the record's history. */
  aside?: ReactNode;
  children: ReactNode;
};

/** The panel itself; `SidePanel` loads it. */
export function SidePanelSurface({ title, isOpen, onClose, aside, children }: SidePanelProps) {
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
      className="fixed inset-x-0 top-0 z-20 flex h-(--visual-viewport-height) items-end justify-end bg-veil transition-opacity entering:opacity-0 exiting:opacity-0 sm:items-stretch"
    >
      <Modal className="flex max-h-[92%] w-full flex-col overflow-hidden rounded-t-3xl bg-card floating transition-transform entering:translate-y-8 exiting:translate-y-8 sm:max-h-full sm:max-w-120 sm:rounded-none sm:border-l sm:border-line sm:entering:translate-x-8 sm:entering:translate-y-0 sm:exiting:translate-x-8 sm:exiting:translate-y-0 forced-colors:border">
        <AriaDialog className="flex min-h-0 grow flex-col outline-none">
          <header className="flex items-center justify-between gap-3 pt-3 pr-2 pl-5 sm:pt-4 sm:pr-3 sm:pl-6">
            <Heading slot="title" level={2} className="min-w-0 py-2 text-xl font-semibold wrap-anywhere">
              {title}
            </Heading>
            <div className="flex shrink-0">
              {aside}
              <IconButton
                label={t('web:close')}
                icon={<X aria-hidden="true" className="size-5" />}
                onPress={close}
              />
            </div>
          </header>
          <Area value={area}>
            <PanelBody>{children}</PanelBody>
          </Area>
        </AriaDialog>
      </Modal>
    </PageOverlay>
  );
}

function PanelBody({ children }: { children: ReactNode }) {
  return (
    <div
      ref={focusFirstField}
      className="flex min-h-0 grow scroll-pb-24 flex-col overflow-y-auto px-5 pt-1 sm:px-6 [@media(max-height:30rem)]:scroll-pb-2"
    >
      <ErrorBoundary>{children}</ErrorBoundary>
    </div>
  );
}
