import { useState } from 'react';
import type { CalendarDate } from '#base/calendar-date.ts';
import { formatWeekday } from '#base/calendar-date.ts';
import { formatHours, fromHundredths, toHundredths } from '#base/hours.ts';
import type { Id } from '#base/id.ts';
import type { District } from '#rooms/district/contract.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import { loadingFailure } from '#web/lib/call.ts';
import { formatCount } from '#web/lib/counted.ts';
import { type Text, useText } from '#web/lib/text.ts';
import { FigureStrip } from '#web/ui/admin/figure-strip.tsx';
import { listSearch } from '#web/ui/admin/list-places.ts';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type Overview } from '../contract.ts';
import { ActivityPart } from './admin-activity-part.tsx';
import { useActivityAnalytics, useOverview, useVolunteerAnalytics } from './admin-api.ts';
import { FigurePart } from './admin-figures.tsx';
import { MonthPart } from './admin-month-part.tsx';
import { PeriodBar, periodChoice } from './admin-period-bar.tsx';
import { InKindPart, SummaryPart } from './admin-report-parts.tsx';
import { StoppedPart, TopPart } from './admin-volunteer-parts.tsx';
import { type Days, inWords } from './days.ts';

/** Selects the entries behind a number. */
export type Trace = Readonly<{
  schoolId: Id;
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  weekday?: number;
  activityId?: Id;
  user?: Readonly<{ id: Id; name: string }>;
}>;

type AnalyticsProps = {
  district: District;
  /** Undefined for the whole district. */
  school: PublicSchool | undefined;
  /** Names the figures where they are printed. */
  name: string;
  days: Days;
  onDays: (days: Days) => void;
  onSchool: (id: Id) => void;
  onTrace: (trace: Trace) => void;
};

/** The analytics of a school, or of the whole district. */
export function Analytics(props: AnalyticsProps) {
  const { district, school, name, days, onDays, onSchool, onTrace } = props;
  const text = useText();
  const { t } = text;
  const [search, setSearch] = useState('');
  const period = { schoolId: school?.id, startDate: days.startDate, endDate: days.endDate };
  const activities = useActivityAnalytics(period);
  const overview = useOverview(period);
  const volunteers = useVolunteerAnalytics(period);
  const failed = [activities, overview, volunteers].filter((query) => query.isError);
  const { startDate, endDate } = days;
  const isWaiting = activities.data === undefined || overview.data === undefined;
  const isBounded = startDate !== undefined || endDate !== undefined;

  return (
    <div className="flex flex-col gap-5">
      <div className="hidden print:block">
        <p className="text-lg font-semibold">{name}</p>
        <p>{inWords(days, text)}</p>
      </div>
      <PeriodBar district={district} days={days} onChange={onDays} />
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
          onAllTime={() => {
            onDays({});
            setTimeout(periodChoice.focus);
          }}
        />
      )}
      {!isWaiting && overview.data.totals.totalEntries > 0 && (
        <>
          <FigureStrip label={t('analytics:totals')} figures={figuresOf(overview.data.totals, text)} />
          {school === undefined && (
            <FigurePart
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
          <ActivityPart
            activities={activities.data}
            schoolNames={
              school === undefined
                ? new Map(overview.data.schools.map(({ id, name }) => [id, name]))
                : undefined
            }
            search={search}
            onSearch={setSearch}
            onShowEntries={(activity) =>
              onTrace({ schoolId: activity.schoolId, startDate, endDate, activityId: activity.id })
            }
          />
          <MonthPart months={overview.data.months} />
          <div className="grid gap-5 xl:grid-cols-2">
            <CategoryPart
              categories={overview.data.categories}
              onFind={(name) => {
                setSearch(name);
                listSearch.focus();
              }}
            />
            <WeekdayPart
              weekdays={overview.data.weekdays}
              onShowEntries={
                school && ((weekday) => onTrace({ schoolId: school.id, startDate, endDate, weekday }))
              }
            />
          </div>
          {volunteers.data !== undefined && (
            <div className="grid items-start gap-5 xl:grid-cols-2">
              <TopPart
                volunteers={volunteers.data}
                onShowEntries={(schoolId, user) => onTrace({ schoolId, startDate, endDate, user })}
              />
              <StoppedPart
                volunteers={volunteers.data}
                onShowEntries={(schoolId, user) =>
                  onTrace({ schoolId, startDate: undefined, endDate: undefined, user })
                }
              />
            </div>
          )}
          <div className="print:hidden">
            <SummaryPart period={period} />
          </div>
          <InKindPart
            period={period}
            thisYear={Number(district.today.slice(0, 4))}
            onSchool={onSchool}
            onShowEntries={({ id, schoolId }) => onTrace({ schoolId, startDate, endDate, activityId: id })}
          />
        </>
      )}
    </div>
  );
}

type CategoryPartProps = { categories: Overview['categories']; onFind: (name: string) => void };

function CategoryPart({ categories, onFind }: CategoryPartProps) {
  const { t } = useText();
  return (
    <FigurePart
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

type WeekdayPartProps = {
  weekdays: Overview['weekdays'];
  /** Undefined for the whole district, which has no list of entries. */
  onShowEntries: ((weekday: number) => void) | undefined;
};

function WeekdayPart({ weekdays, onShowEntries }: WeekdayPartProps) {
  const { t, language } = useText();
  return (
    <FigurePart
      isNarrow
      title={t('analytics:byWeekday')}
      nameTitle={t('analytics:weekday')}
      figures={weekdays.map((one) => {
        const name = formatWeekday(one.weekday, language);
        return {
          key: one.weekday,
          name,
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

/** Shown when there is no data (specification section 2); another period may have some. */
function NoData({ isBounded, onAllTime }: { isBounded: boolean; onAllTime: () => void }) {
  const { t } = useText();
  return (
    <div className="flex flex-col items-center gap-2 rounded-card border border-line bg-card px-6 py-12 text-center">
      <p className="text-lg font-semibold">{t('analytics:noData')}</p>
      <p className="text-soft">{t(isBounded ? 'analytics:nothingInPeriod' : 'analytics:logFirst')}</p>
      {isBounded && <Button onPress={onAllTime}>{t('analytics:showAllTime')}</Button>}
    </div>
  );
}

function figuresOf(totals: Overview['totals'], { t, language }: Text) {
  const { totalHours, totalEntries, uniqueUsers, newUsers, returningUsers } = totals;
  const average = uniqueUsers === 0 ? 0 : fromHundredths(Math.round(toHundredths(totalHours) / uniqueUsers));
  return [
    { name: t('analytics:hours'), text: formatHours(totalHours, language) },
    { name: t('analytics:entries'), text: formatCount(totalEntries, language) },
    { name: t('analytics:people'), text: formatCount(uniqueUsers, language) },
    newUsers === null
      ? { name: t('analytics:average'), text: formatHours(average, language) }
      : {
          name: t('analytics:newAndReturning'),
          text: t('analytics:newPlusReturning', {
            fresh: formatCount(newUsers, language),
            returning: formatCount(returningUsers ?? 0, language),
          }),
        },
  ];
}
