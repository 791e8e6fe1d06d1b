import { ArrowLeft, Printer } from 'lucide-react';
import { Analytics, type Trace } from '#rooms/analytics/web/admin-analytics.tsx';
import type { District } from '#rooms/district/contract.ts';
import { messages as schoolMessages } from '#rooms/schools/contract.ts';
import { usePublicSchools } from '#rooms/schools/web/api.ts';
import { useText } from '../lib/text.ts';
import { FilterSelect } from '../ui/admin/filter-select.tsx';
import { Button } from '../ui/button.tsx';
import { Logo } from '../ui/logo.tsx';
import { ErrorBox, Notice } from '../ui/notice.tsx';
import { SkeletonRows } from '../ui/skeleton.tsx';
import { type AnalyticsChoice, WHOLE } from './admin-analytics-choice.ts';

type AnalyticsViewProps = {
  district: District;
  choice: AnalyticsChoice;
  onChoice: (choice: AnalyticsChoice) => void;
  onTrace: (trace: Trace) => void;
  onBack: () => void;
};

/** A page of its own, with its own choice of a school and a way back (specification section 2). */
export function AnalyticsView({ district, choice, onChoice, onTrace, onBack }: AnalyticsViewProps) {
  const { t, say } = useText();
  const schools = usePublicSchools();
  const school = schools.data?.find(({ id }) => id === choice.schoolId);
  const isChosen = school !== undefined || choice.schoolId === WHOLE;
  const picker = schools.data !== undefined && (
    <FilterSelect
      label={t('analytics:school')}
      prompt={t('analytics:selectSchool')}
      value={school === undefined && !isChosen ? '' : String(choice.schoolId)}
      onChange={(value) =>
        onChoice({
          ...choice,
          schoolId: value === '' ? undefined : value === WHOLE ? WHOLE : Number(value),
        })
      }
      choices={[
        { value: WHOLE, text: t('analytics:wholeDistrict') },
        ...schools.data.map(({ id, name }) => ({ value: String(id), text: name })),
      ]}
    />
  );
  return (
    <>
      <header className="border-b border-line bg-card print:hidden">
        <div className="mx-auto flex h-16 w-full max-w-288 items-center gap-3 px-4 lg:h-18">
          <Logo />
          <div className="flex min-w-0 grow flex-col">
            <h1
              ref={focusOn}
              tabIndex={-1}
              className="truncate leading-6 font-semibold outline-none lg:text-lg"
            >
              {t('analytics:title')}
            </h1>
            <p className="truncate text-sm text-soft">{district.districtName}</p>
          </div>
          <span className="-mr-3 shrink-0">
            <Button
              kind="plain"
              label={t('analytics:back')}
              icon={<ArrowLeft aria-hidden="true" className="size-5" />}
              onPress={onBack}
            >
              <span className="sm:hidden">{t('web:back')}</span>
              <span className="max-sm:hidden">{t('analytics:back')}</span>
            </Button>
          </span>
        </div>
      </header>
      <main className="mx-auto flex w-full max-w-288 flex-col gap-5 px-4 pt-5 pb-24 lg:pt-6 print:p-0">
        {schools.data === undefined && schools.isError && (
          <ErrorBox
            text={say(schoolMessages.failedToLoad)}
            onRetry={() => schools.refetch()}
            isRetrying={schools.isFetching}
          />
        )}
        {schools.data === undefined && !schools.isError && <SkeletonRows rows={1} isTall />}
        {isChosen ? (
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
              key={choice.schoolId}
              district={district}
              school={school}
              days={choice.days}
              onDays={(days) => onChoice({ ...choice, days })}
              onSchool={(schoolId) => onChoice({ ...choice, schoolId })}
              onTrace={onTrace}
            />
          </>
        ) : (
          picker && <Notice>{picker}</Notice>
        )}
      </main>
    </>
  );
}

/** The heading of the view takes the focus when the view comes, and so is read out. */
function focusOn(heading: HTMLElement | null) {
  heading?.focus({ preventScroll: true });
}
