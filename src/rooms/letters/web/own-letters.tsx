import { ArrowLeft } from 'lucide-react';
import type { District } from '#rooms/district/contract.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import { usePublicSchools } from '#rooms/schools/web/api.ts';
import { useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { LettersOf } from './letters-of.tsx';

/** One's own service letters, in the place of Recent Activity. */
export function OwnLetters({
  school,
  district,
  onBack,
}: {
  /** The one that Recent Activity shows. */
  school: Pick<PublicSchool, 'id'>;
  district: District;
  onBack: () => void;
}) {
  const { t } = useText();
  const schools = usePublicSchools();
  return (
    <section className="flex max-w-184 flex-col gap-5">
      <div className="-ml-3">
        <Button kind="plain" onPress={onBack} icon={<ArrowLeft aria-hidden="true" className="size-5" />}>
          {t('letters:back')}
        </Button>
      </div>
      <div className="flex flex-col gap-1">
        <h2 ref={focusOn} tabIndex={-1} className="text-2xl font-semibold outline-none">
          {t('letters:title')}
        </h2>
        <p className="text-soft">{t('letters:hint')}</p>
      </div>
      <LettersOf schools={schools.data ?? []} schoolId={school.id} district={district} mayWithdraw />
    </section>
  );
}

function focusOn(heading: HTMLElement | null) {
  heading?.focus({ preventScroll: true });
}
