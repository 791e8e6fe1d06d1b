import { type CalendarDate, formatDayShort } from '#base/calendar-date.ts';
import { type Text, useText } from '#web/lib/text.ts';
import { Badge } from '#web/ui/badge.tsx';
import type { Activity } from '../contract.ts';
import { eventTag, groupOf, isOngoing, unavailability } from '../grouping.ts';

/** The two days that tags go by: the district's, and the one in UTC (specification section 4). */
export type Days = Readonly<{ today: CalendarDate; utcDay: CalendarDate }>;

/** Today, Upcoming or Past on an event, 'Ongoing' and 'Unavailable', as words. */
export function ActivityTags({ activity, days }: { activity: Activity; days: Days }) {
  const { t } = useText();
  const { activeFrom } = activity;
  const isEvent = groupOf(activity) === 'events';
  const tag = isEvent && activeFrom !== null ? eventTag(activeFrom, days.utcDay) : undefined;
  const isUnavailable = unavailability(activity, days.today) !== undefined;
  return (
    <>
      {tag !== undefined && <Badge tone={tag === 'today' ? 'brand' : 'grey'}>{t(`activities:${tag}`)}</Badge>}
      {isOngoing(activity) && <Badge>{t('activities:ongoing')}</Badge>}
      {isUnavailable && <Badge>{t('activities:unavailable')}</Badge>}
    </>
  );
}

/** Why an activity is marked 'Unavailable', as a sentence; nothing when it is not. */
export function unavailableReason(activity: Activity, today: CalendarDate, text: Text): string | undefined {
  const { t, language } = text;
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
