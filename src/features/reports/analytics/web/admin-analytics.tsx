import { useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { Status, VerifiedOnlyFilter } from '#features/time-entries/verification-status.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { capitalizeFirst, formatWeekday } from '#shared/calendar-date.ts';
import { formatHours, fromHundredths, toHundredths } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { loadingFailure } from '#web/api/call.ts';
import { formatCount } from '#web/i18n/count-text.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { listSearch } from '#web/ui/admin/list-focus-targets.ts';
import { SummaryFigures } from '#web/ui/admin/summary-figures.tsx';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { formatPeriod, messages, type Overview } from '../contract.ts';
import { ActivitySection } from './admin-activity-chart.tsx';
import { useActivityAnalytics, useOverview, useVolunteerAnalytics } from './admin-api.ts';
import { FigureSection, HoursLegend, VerifiedOnlyContext } from './admin-bar-chart.tsx';
import { MonthSection } from './admin-month-chart.tsx';
import { PeriodBar, periodChoice } from './admin-period-bar.tsx';
import { BoardSummarySection, InKindSection } from './admin-report-sections.tsx';
import { InactiveVolunteers, TopVolunteers } from './admin-volunteer-rankings.tsx';
import type { Days } from './period-presets.ts';

/** Selects the entries behind a number. */
export type OpenEntries = Readonly<{
  schoolId: Id;
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  weekday?: number;
  activityId?: Id;
  user?: Readonly<{ id: Id; name: string }>;
  status?: Status | undefined;
}>;

type AnalyticsProps = {
  district: District;
  /** Undefined means the whole district. */
  school: PublicSchool | undefined;
  /** The title of the printed figures. */
  name: string;
  days: Days;
  onDays: (days: Days) => void;
  /** Limits the figures to verified hours. */
  only: VerifiedOnlyFilter | undefined;
  onOnly: (only: VerifiedOnlyFilter | undefined) => void;
  onSchool: (id: Id) => void;
  onOpenEntries: (entries: OpenEntries) => void;
};

// Long because it is the whole page, one part after the other.
/** The analytics of a school, or of the whole district. */
export function Analytics(props: AnalyticsProps) {
  const { district, school, name, days, onDays, only, onOnly, onSchool } = props;
  const text = useTranslation();
  const { t } = text;
  const [search, setSearch] = useState('');
  const period = { schoolId: school?.id, startDate: days.startDate, endDate: days.endDate, only };
  const activities = useActivityAnalytics(period);
  const overview = useOverview(period);
  const volunteers = useVolunteerAnalytics(period);
  const failed = [activities, overview, volunteers].filter((query) => query.isError);
  const { startDate, endDate } = days;
  const isWaiting = activities.data === undefined || overview.data === undefined;
  const isBounded = startDate !== undefined || endDate !== undefined;
  const isOnly = only !== undefined;
  const isVerifying = typeof overview.data?.totals.verifiedHours === 'number';
  // The entries behind verified hours are the verified ones.
  const openEntries = (entries: OpenEntries) => props.onOpenEntries({ status: only, ...entries });

  return (
    <div className="flex flex-col gap-5">
      <div className="hidden print:block">
        <p className="text-lg font-semibold">{name}</p>
        <p>{formatPeriod(days, text)}</p>
        {isOnly && <p>{t('analytics:verifiedOnly')}</p>}
      </div>
      <PeriodBar
        district={district}
        days={days}
        onChange={onDays}
        only={only}
        onOnly={isVerifying || isOnly ? onOnly : undefined}
      />
      {failed.length > 0 && (
        <ErrorBox
          {...loadingFailure(failed[0]?.error, messages.failedToLoad)}
          onRetry={() => {
            for (const query of failed) void query.refetch();
          }}
          isRetrying={failed.some((query) => query.isFetching)}
        />
      )}
      {isWaiting && failed.length === 0 && <SkeletonRows rows={6} isTall />}
      {!isWaiting && overview.data.totals.totalEntries === 0 && (
        <NoData
          isBounded={isBounded}
          onAllLogged={isOnly ? () => onOnly(undefined) : undefined}
          onAllTime={() => {
            onDays({});
            setTimeout(periodChoice.focus);
          }}
        />
      )}
      {!isWaiting && overview.data.totals.totalEntries > 0 && (
        <VerifiedOnlyContext value={isOnly}>
          <SummaryFigures
            label={t('analytics:totals')}
            figures={figuresOf(overview.data.totals, { ...text, isOnly })}
          />
          {isVerifying && !isOnly && <HoursLegend />}
          {school === undefined && (
            <FigureSection
              title={t('analytics:bySchool')}
              nameTitle={t('analytics:school')}
              figures={overview.data.schools
                .toSorted((a, b) => b.totalHours - a.totalHours)
                .map((one) => ({
                  key: one.id,
                  ...one,
                  open: {
                    label: t('analytics:showSchool', { name: one.name }),
                    onPress: () => onSchool(one.id),
                  },
                }))}
            />
          )}
          <ActivitySection
            activities={activities.data}
            schoolNames={
              school === undefined
                ? new Map(overview.data.schools.map(({ id, name }) => [id, name]))
                : undefined
            }
            search={search}
            onSearch={setSearch}
            onShowEntries={(activity) =>
              openEntries({ schoolId: activity.schoolId, startDate, endDate, activityId: activity.id })
            }
          />
          <MonthSection months={overview.data.months} />
          <div className="grid gap-5 xl:grid-cols-2">
            <CategorySection
              categories={overview.data.categories}
              onFind={(name) => {
                setSearch(name);
                listSearch.focus();
              }}
            />
            <WeekdaySection
              weekdays={overview.data.weekdays}
              onShowEntries={
                school && ((weekday) => openEntries({ schoolId: school.id, startDate, endDate, weekday }))
              }
            />
          </div>
          {volunteers.data !== undefined && (
            <div className="grid items-start gap-5 xl:grid-cols-2">
              <TopVolunteers
                volunteers={volunteers.data}
                onShowEntries={(schoolId, user) => openEntries({ schoolId, startDate, endDate, user })}
              />
              <VerifiedOnlyContext value={false}>
                <InactiveVolunteers
                  volunteers={volunteers.data}
                  onShowEntries={(schoolId, user) =>
                    props.onOpenEntries({ schoolId, startDate: undefined, endDate: undefined, user })
                  }
                />
              </VerifiedOnlyContext>
            </div>
          )}
          <div className="print:hidden">
            <BoardSummarySection period={period} />
          </div>
          <VerifiedOnlyContext value={false}>
            <InKindSection
              period={{ schoolId: school?.id, startDate, endDate }}
              isVerifying={isVerifying}
              thisYear={Number(district.today.slice(0, 4))}
              onSchool={onSchool}
              onShowEntries={({ id, ...behind }) =>
                props.onOpenEntries({ startDate, endDate, activityId: id, ...behind })
              }
            />
          </VerifiedOnlyContext>
        </VerifiedOnlyContext>
      )}
    </div>
  );
}

type CategorySectionProps = { categories: Overview['categories']; onFind: (name: string) => void };

function CategorySection({ categories, onFind }: CategorySectionProps) {
  const { t } = useTranslation();
  return (
    <FigureSection
      isNarrow
      title={t('analytics:byCategory')}
      nameTitle={t('analytics:category')}
      figures={categories.map((one) => ({
        key: one.name,
        mark: <CategoryDot color={one.color} />,
        ...one,
        open: { label: t('analytics:findCategory', { name: one.name }), onPress: () => onFind(one.name) },
      }))}
    />
  );
}

type WeekdaySectionProps = {
  weekdays: Overview['weekdays'];
  /** Undefined for the whole district, which has no list of entries. */
  onShowEntries: ((weekday: number) => void) | undefined;
};

function WeekdaySection({ weekdays, onShowEntries }: WeekdaySectionProps) {
  const { t, language } = useTranslation();
  return (
    <FigureSection
      isNarrow
      title={t('analytics:byWeekday')}
      nameTitle={t('analytics:weekday')}
      figures={weekdays.map((one) => {
        const name = formatWeekday(one.weekday, language);
        return {
          key: one.weekday,
          name: capitalizeFirst(name),
          ...one,
          open: onShowEntries && {
            label: t('analytics:showEntries', { name }),
            onPress: () => onShowEntries(one.weekday),
          },
        };
      })}
    />
  );
}

type NoDataProps = {
  isBounded: boolean;
  onAllTime: () => void;
  /** Undefined unless only verified hours are shown. */
  onAllLogged: (() => void) | undefined;
};

/** Shown when there is no data (specification section 2); another period or all logged hours may have some. */
function NoData({ isBounded, onAllTime, onAllLogged }: NoDataProps) {
  const { t } = useTranslation();
  return (
    <div className="flex flex-col items-center gap-2 rounded-card border border-line bg-card px-6 py-12 text-center">
      <p className="text-lg font-semibold">{t('analytics:noData')}</p>
      <p className="text-soft">
        {t(onAllLogged !== undefined ? 'analytics:nothingVerified' : 'analytics:logFirst')}
      </p>
      {onAllLogged !== undefined && <Button onPress={onAllLogged}>{t('analytics:showAllLogged')}</Button>}
      {isBounded && <Button onPress={onAllTime}>{t('analytics:showAllTime')}</Button>}
    </div>
  );
}

function figuresOf(totals: Overview['totals'], { t, language, isOnly }: Text & { isOnly: boolean }) {
  const { totalHours, verifiedHours, totalEntries, uniqueUsers, newUsers, returningUsers } = totals;
  const average = uniqueUsers === 0 ? 0 : fromHundredths(Math.round(toHundredths(totalHours) / uniqueUsers));
  return [
    {
      name: t(isOnly ? 'analytics:verifiedHours' : 'analytics:hours'),
      text: formatHours(totalHours, language),
      more:
        isOnly || verifiedHours === null
          ? undefined
          : t('time-entries:verifiedPart', { hours: formatHours(verifiedHours, language) }),
    },
    { name: t('analytics:entries'), text: formatCount(totalEntries, language) },
    { name: t('analytics:people'), text: formatCount(uniqueUsers, language) },
    newUsers === null
      ? { name: t('analytics:average'), text: formatHours(average, language) }
      : {
          name: t('analytics:newAndReturning'),
          text: t('analytics:newPeople', { count: newUsers }),
          more: t('analytics:returningPeople', { count: returningUsers ?? 0 }),
        },
  ];
}
