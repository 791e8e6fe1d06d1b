import { ArrowLeft } from 'lucide-react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { usePublicSchools } from '#features/schools/web/api.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { focusOnMount } from '#web/ui/focus-target.ts';
import { LettersPanel } from './letters-panel.tsx';

/** The viewer's own service letters, shown in place of Recent Activity. */
export function OwnLetters({
  school,
  district,
  onBack,
}: {
  /** The school selected in Recent Activity. */
  school: Pick<PublicSchool, 'id'>;
  district: District;
  onBack: () => void;
}) {
  const { t } = useTranslation();
  const schools = usePublicSchools();
  return (
    <section className="flex max-w-184 flex-col gap-5">
      <div className="-ml-3">
        <Button kind="plain" onPress={onBack} icon={<ArrowLeft aria-hidden="true" className="size-5" />}>
          {t('service-letters:back')}
        </Button>
      </div>
      <div className="flex flex-col gap-1">
        <h2 ref={focusOnMount} tabIndex={-1} className="text-2xl font-semibold outline-none">
          {t('service-letters:title')}
        </h2>
        <p className="text-soft">{t('service-letters:hint')}</p>
      </div>
      <LettersPanel schools={schools.data ?? []} schoolId={school.id} district={district} mayWithdraw />
    </section>
  );
}
