import { ArrowLeft } from 'lucide-react';
import type { ReactNode } from 'react';
import type { District } from '#features/schools/district-settings/contract.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { focusOnMount } from '#web/ui/focus-target.ts';
import { DistrictLogo } from '#web/ui/logo.tsx';

type AdminHeaderProps = {
  title: string;
  district: District;
  /** The user's roles as text, if they are not a district administrator. */
  role: string | undefined;
  /** The full text of the back button; on a phone it is just 'Back'. */
  backText: string;
  onBack: () => void;
  /** As wide as a page with a tab rail. */
  isWide?: boolean;
  /** Further buttons in the header. */
  children?: ReactNode;
};

/** The header of an administrator's page: title, district, and a back button. */
export function AdminHeader({ title, district, role, backText, onBack, isWide, children }: AdminHeaderProps) {
  const { t } = useTranslation();
  return (
    <header className="border-b border-line bg-card print:hidden">
      <div
        className={`mx-auto flex min-h-16 w-full flex-wrap items-center gap-x-3 px-4 py-2 lg:min-h-18 ${isWide ? 'max-w-360' : 'max-w-288'}`}
      >
        <DistrictLogo district={district} />
        {/* With large text the buttons wrap to their own line. */}
        <div className="flex min-w-0 grow basis-20 flex-col wrap-anywhere">
          {/* Screen readers announce the page when it appears. */}
          <h1 ref={focusOnMount} tabIndex={-1} className="leading-6 font-semibold outline-none lg:text-lg">
            {title}
          </h1>
          <p className="text-sm text-soft">
            {role !== undefined && <span className="font-medium text-ink">{role}</span>}
            {/* Hidden on phones, because the list starts right below and the logo identifies the district. */}
            <span className="max-sm:sr-only">
              {role !== undefined && ' · '}
              {district.districtName}
            </span>
          </p>
        </div>
        <div className="-mr-3 ml-auto flex flex-wrap justify-end">
          {children}
          <Button
            kind="plain"
            label={backText}
            icon={<ArrowLeft aria-hidden="true" className="size-5" />}
            onPress={onBack}
          >
            <span className="sm:hidden">{t('web:back')}</span>
            <span className="max-sm:hidden">{backText}</span>
          </Button>
        </div>
      </div>
    </header>
  );
}
