import { Fragment } from 'react';
import { type CalendarDate, formatDayShort } from '#shared/calendar-date.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { eventTag, groupOf, isOngoing, unavailability } from '../activity-groups.ts';
import type { Activity } from '../contract.ts';

/** The two days that tags are based on: the district's today, and today in UTC (specification section 4). */
export type Days = Readonly<{ today: CalendarDate; utcDay: CalendarDate }>;

/** Tags as words: 'Today', 'Upcoming' or 'Past' on an event, and 'Ongoing'. */
export function ActivityTags({ activity, days }: { activity: Activity; days: Days }) {
  const { t } = useTranslation();
  const { activeFrom } = activity;
  const isEvent = groupOf(activity) === 'events';
  const tag = isEvent && activeFrom !== null ? eventTag(activeFrom, days.utcDay) : undefined;
  const isUnavailable = unavailability(activity, days.today) !== undefined;
  return (
    <>
      {/* Otherwise a screen reader would read 'Closed Today' or 'Closed Ongoing'. */}
      {isUnavailable && (
        <span className="sr-only">{tag === undefined ? '·' : `· ${t('activities:eventIs')}`}</span>
      )}
      {tag !== undefined && <Badge tone={tag === 'today' ? 'brand' : 'grey'}>{t(`activities:${tag}`)}</Badge>}
      {isOngoing(activity) && <Badge>{t('activities:ongoing')}</Badge>}
    </>
  );
}

type FactsProps = { activity: Activity; days: Days; isCategoryShown?: boolean };

/** The small line under an activity's name: category, date and, if it applies, 'Unavailable' with the reason. */
export function ActivityFacts({ activity, days, isCategoryShown }: FactsProps) {
  const text = useTranslation();
  const { activeFrom, category } = activity;
  const reason = unavailableReason(activity, days.today, text);
  // Under the heading 'Events' the category 'Events' on every row would be noise.
  const categoryName = isCategoryShown || groupOf(activity) !== 'events' ? category.name : undefined;
  const date = activeFrom === null ? undefined : formatDayShort(activeFrom, text.language);
  const facts =
    reason === undefined ? [categoryName, date] : [categoryName, text.t('activities:unavailable'), reason];
  return facts
    .filter((fact) => fact !== undefined)
    .map((fact, at) => (
      <Fragment key={fact}>
        {at > 0 && ' · '}
        <span className="inline-block max-w-full wrap-anywhere">{fact}</span>
      </Fragment>
    ));
}

function unavailableReason(
  activity: Activity,
  today: CalendarDate,
  { t, language }: Text,
): string | undefined {
  switch (unavailability(activity, today)) {
    case 'inactive':
      return t('activities:unavailableInactive');
    case 'future':
      return t('activities:unavailableFuture', {
        date: formatDayShort(activity.activeFrom ?? today, language),
      });
    case 'past':
      return t('activities:unavailablePast', {
        date: formatDayShort(activity.activeUntil ?? today, language),
      });
    default:
      return undefined;
  }
}
