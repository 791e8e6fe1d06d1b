import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { District } from '#rooms/district/contract.ts';
import { useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { Logo } from '#web/ui/logo.tsx';

type AdminHeaderProps = {
  title: string;
  district: District;
  /** The way out, in full; a phone only says 'Back'. */
  backText: string;
  onBack: () => void;
  /** As wide as the page below it that has a rail of tabs. */
  isWide?: boolean;
  /** What else can be opened from here. */
  children?: ReactNode;
};

/** On top of an administrator's page: what it is, whose district, and the way back. */
export function AdminHeader({ title, district, backText, onBack, isWide, children }: AdminHeaderProps) {
  const { t } = useText();
  return (
    <header className="border-b border-line bg-card print:hidden">
      <div
        className={`mx-auto flex h-16 w-full items-center gap-3 px-4 lg:h-18 ${isWide ? 'max-w-360' : 'max-w-288'}`}
      >
        <Logo />
        <div className="flex min-w-0 grow flex-col">
          <h1
            ref={focusOn}
            tabIndex={-1}
            className="truncate leading-6 font-semibold outline-none lg:text-lg"
          >
            {title}
          </h1>
          <p className="truncate text-sm text-soft">{district.districtName}</p>
        </div>
        {children}
        <span className="-mr-3 shrink-0">
          <Button
            kind="plain"
            label={backText}
            icon={<ArrowLeft aria-hidden="true" className="size-5" />}
            onPress={onBack}
          >
            <span className="sm:hidden">{t('web:back')}</span>
            <span className="max-sm:hidden">{backText}</span>
          </Button>
        </span>
      </div>
    </header>
  );
}

/** The heading of the page takes the focus when the page comes, and so is read out. */
function focusOn(heading: HTMLElement | null) {
  heading?.focus({ preventScroll: true });
}
