import type { Db } from '#server/db/database.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { addDays, addMonths, type CalendarDate } from '#shared/calendar-date.ts';
import { REMINDERS } from '../contract.ts';

/** A past event: an activity with dates, on its last day. */
export type EndedEvent = Awaited<ReturnType<typeof findEndedEvents>>[number];

/** Returns events whose last day is one of these; an event without an end date lasts one day. */
export async function findEndedEvents(db: Db, { first, last }: { first: CalendarDate; last: CalendarDate }) {
  const rows = await db
    .selectFrom('activities')
    .innerJoin('schools', 'schools.id', 'activities.school_id')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .select([
      'activities.id',
      translatedName('activities').as('name'),
      'activities.name_key as nameKey',
      'activities.school_id as schoolId',
      'activities.active_from as from',
      'activities.active_until as until',
      'categories.kind',
      translatedName('schools').as('school'),
      'schools.closed_before as closedBefore',
      'schools.late_after_days as lateAfterDays',
    ])
    .where('activities.is_active', '=', 1)
    .where('activities.active_from', '>', addDays(first, -REMINDERS.eventDays))
    .where('activities.active_from', '<=', last)
    .orderBy('activities.id')
    .execute();
  return rows.flatMap(({ from, until, kind, ...event }) => {
    // An activity with only a start date is ongoing, unless it is an event.
    const end = until ?? (kind === 'event' ? from : null);
    return from === null || end === null || end < first || end > last ? [] : [{ ...event, from, until: end }];
  });
}

/**
 * Returns members of the school who want reminders, logged hours for one of these activities about a year before the event,
 * and none for the event itself.
 */
export async function findLastYearsVolunteers(
  db: Db,
  event: EndedEvent,
  activityIds: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('time_entries as before')
    .innerJoin('reminder_preferences', 'reminder_preferences.user_id', 'before.user_id')
    .innerJoin('user_schools', (join) =>
      join
        .onRef('user_schools.user_id', '=', 'before.user_id')
        .on('user_schools.school_id', '=', event.schoolId)
        .on('user_schools.status', '=', 'active'),
    )
    .select('before.user_id as userId')
    .distinct()
    .where('before.activity_id', 'in', [...activityIds])
    .where('before.deleted_at', 'is', null)
    .where('before.entry_date', '>=', addDays(addMonths(event.from, -12), -REMINDERS.aroundDays))
    .where('before.entry_date', '<=', addDays(addMonths(event.until, -12), REMINDERS.aroundDays))
    .where('reminder_preferences.after_events', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('time_entries as now')
            .select('now.id')
            .whereRef('now.user_id', '=', 'before.user_id')
            .where('now.activity_id', '=', event.id)
            .where('now.deleted_at', 'is', null)
            .where('now.entry_date', '>=', event.from),
        ),
      ),
    )
    .execute();
  return rows.map(({ userId }) => userId);
}
