import { Printer } from 'lucide-react';
import { Analytics, type OpenEntries } from '#features/reports/analytics/web/admin-analytics.tsx';
import {
  type AnalyticsChoice,
  WHOLE_DISTRICT,
} from '#features/reports/analytics/web/admin-analytics-filter.ts';
import { daysOf } from '#features/reports/analytics/web/period-presets.ts';
import { messages as schoolMessages } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { usePermittedSchools } from '#features/schools/web/admin-permitted-schools.ts';
import { useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { FilterSelect } from '#web/ui/admin/filter-select.tsx';
import { filterSelect } from '#web/ui/admin/list-focus-targets.ts';
import { Button } from '#web/ui/button.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { skipTarget } from '#web/ui/skip-link.tsx';
import { AdminHeader } from './admin-header.tsx';

type AnalyticsViewProps = {
  district: District;
  /** The user's roles as text, for the header. */
  role: string | undefined;
  choice: AnalyticsChoice;
  onChoice: (choice: AnalyticsChoice) => void;
  onTrace: (trace: OpenEntries) => void;
  onBack: () => void;
};

/** The analytics page, with its own school select and a back button (specification section 2). */
export function AnalyticsView(props: AnalyticsViewProps) {
  const { district, role, choice, onChoice, onTrace, onBack } = props;
  const { t } = useTranslation();
  const schools = usePermittedSchools('see figures');
  const may = useCan();
  const school = schools.assigned ?? schools.data?.find(({ id }) => id === choice.schoolId);
  const days = choice.days ?? daysOf('thisYear', district.today, district.schoolYearStart);
  // Without a school there is nothing to total.
  const isWhole = school === undefined && schools.data?.[0] !== undefined;
  const whole = t(may('see figures', 'all') ? 'analytics:wholeDistrict' : 'web:grantedSchools');
  // The pressed button disappears with the previous school's page, so the school select takes the focus.
  const choose = (schoolId: AnalyticsChoice['schoolId']) => {
    onChoice({ ...choice, schoolId });
    setTimeout(filterSelect.focusSoon);
  };
  const picker = schools.data !== undefined && (
    <FilterSelect
      label={t('analytics:school')}
      prompt={schools.assigned === undefined ? t('analytics:selectSchool') : undefined}
      value={
        school !== undefined ? String(school.id) : choice.schoolId === WHOLE_DISTRICT ? WHOLE_DISTRICT : ''
      }
      onChange={(value) =>
        choose(value === '' ? undefined : value === WHOLE_DISTRICT ? WHOLE_DISTRICT : Number(value))
      }
      choices={[
        ...(schools.assigned === undefined ? [{ value: WHOLE_DISTRICT, text: whole }] : []),
        ...schools.data.map(({ id, name }) => ({ value: String(id), text: name })),
      ]}
    />
  );
  return (
    <>
      <AdminHeader
        title={t('analytics:title')}
        district={district}
        role={role}
        backText={t('analytics:back')}
        onBack={onBack}
      />
      <main
        {...skipTarget}
        className="mx-auto flex w-full grow max-w-288 flex-col gap-5 px-4 pt-5 pb-24 outline-none lg:pt-6 print:p-0"
      >
        {schools.data === undefined && schools.isError && (
          <QueryError text={schoolMessages.failedToLoad} query={schools} />
        )}
        {schools.data === undefined && !schools.isError && <SkeletonRows rows={1} isTall />}
        {school !== undefined || isWhole ? (
          <>
            <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
              {picker}
              <Button
                kind="plain"
                icon={<Printer aria-hidden="true" className="size-5" />}
                onPress={() => window.print()}
              >
                {t('analytics:print')}
              </Button>
            </div>
            <Analytics
              key={school?.id ?? WHOLE_DISTRICT}
              district={district}
              school={school}
              name={school?.name ?? (may('see figures', 'all') ? district.districtName : whole)}
              days={days}
              onDays={(days) => onChoice({ ...choice, days })}
              only={choice.only}
              onOnly={(only) => onChoice({ ...choice, only })}
              onSchool={choose}
              onOpenEntries={onTrace}
            />
          </>
        ) : (
          picker
        )}
      </main>
    </>
  );
}
