import { type SqlBool, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { RECIPIENT, type Recipient } from '#server/db/queries/recipient.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { REMINDERS, type Reminders } from '../contract.ts';

const NONE: Reminders = { afterEvents: false, weekly: false, decisions: false };

/** Returns which reminders a user opted in to; none by default. */
export async function findReminders(db: Db, userId: number): Promise<Reminders> {
  const row = await db
    .selectFrom('reminder_preferences')
    .select(['after_events', 'weekly', 'decisions'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined) return NONE;
  return { afterEvents: row.after_events === 1, weekly: row.weekly === 1, decisions: row.decisions === 1 };
}

/** Whether a user's email address is confirmed. */
export async function isEmailConfirmed(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('email_verified_at as at')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row !== undefined && row.at !== null;
}

/** Stores which reminders a user opted in to. */
export async function saveReminders(trx: Trx, userId: number, wanted: Reminders): Promise<void> {
  const flags = {
    after_events: wanted.afterEvents ? 1 : 0,
    weekly: wanted.weekly ? 1 : 0,
    decisions: wanted.decisions ? 1 : 0,
  } as const;
  await trx
    .insertInto('reminder_preferences')
    .values({ user_id: userId, ...flags })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(flags))
    .execute();
}

/** Turns off a user's event reminders or Monday email. Does nothing for a user without stored preferences. */
export async function unsubscribeFromReminders(
  trx: Trx,
  userId: number,
  emails: 'after events' | 'on Mondays',
): Promise<void> {
  await trx
    .updateTable('reminder_preferences')
    .set(emails === 'after events' ? { after_events: 0 } : { weekly: 0, decisions: 0 })
    .where('user_id', '=', userId)
    .execute();
}

/** A reminder to send: the Monday of its week and, for an event reminder, the last day of its latest event. */
export type ReminderSlot = Readonly<{ userId: number; monday: CalendarDate; eventDay?: CalendarDate }>;

/**
 * Claims a reminder for sending. Returns false if this or another server has sent it, the weekly limit is reached, the user
 * opted out meanwhile, or the address may no longer be emailed.
 */
export function claimReminderSlot(trx: Trx, slot: ReminderSlot): Promise<boolean> {
  const { userId, monday, eventDay } = slot;
  const isEvent = eventDay !== undefined;
  const [last, day] = isEvent
    ? (['last_event_day', eventDay] as const)
    : (['last_weekly_day', monday] as const);
  return changesRows(
    trx
      .updateTable('reminder_preferences')
      .set({
        letters: sql<number>`case when week_from = ${monday} then letters + 1 else 1 end`,
        week_from: monday,
        [last]: day,
      })
      .where('user_id', '=', userId)
      .where(isEvent ? sql<SqlBool>`after_events = 1` : sql<SqlBool>`(weekly = 1 or decisions = 1)`)
      .where((eb) =>
        eb.or([
          eb('week_from', 'is', null),
          eb('week_from', '<>', monday),
          eb('letters', '<', REMINDERS.emailsPerWeek),
        ]),
      )
      .where((eb) => eb.or([eb(last, 'is', null), eb(last, '<', day)]))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('users')
            .select('users.id')
            .whereRef('users.id', '=', 'reminder_preferences.user_id')
            .where('users.is_active', '=', 1)
            .where('users.erased_at', 'is', null)
            .where('users.email_verified_at', 'is not', null),
        ),
      ),
  );
}

/** Returns the reminder preferences for a user's data export, with the days of the last reminders; null if there are none. */
export async function exportReminders(db: Db, userId: number) {
  const row = await db
    .selectFrom('reminder_preferences')
    .select(['last_event_day as lastAfterEvent', 'last_weekly_day as lastWeekly'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row === undefined ? null : { ...(await findReminders(db, userId)), ...row };
}

/** Deletes a user's reminder preferences. */
export async function deleteReminders(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('reminder_preferences').where('user_id', '=', userId).execute();
}

/** A recipient with a confirmed address. */
export type Reader = Recipient & Readonly<{ isProven: true }>;

/**
 * Returns users who want the weekly hours or decisions and did not get this week's email, ordered by ID, with IDs above
 * `after`.
 */
export async function findWeeklySummaryRecipients(
  db: Db,
  { monday, after, limit }: { monday: CalendarDate; after: number; limit: number },
) {
  const rows = await selectRecipients(db)
    .select(['reminder_preferences.weekly', 'reminder_preferences.decisions'])
    .where('reminder_preferences.user_id', '>', after)
    .where((eb) =>
      eb.or([eb('reminder_preferences.weekly', '=', 1), eb('reminder_preferences.decisions', '=', 1)]),
    )
    .where((eb) =>
      eb.or([
        eb('reminder_preferences.last_weekly_day', 'is', null),
        eb('reminder_preferences.last_weekly_day', '<', monday),
      ]),
    )
    .orderBy('reminder_preferences.user_id')
    .limit(limit)
    .execute();
  return rows.map(({ weekly, decisions, lastEventDay: _, ...reader }) => ({
    ...reader,
    isProven: true as const,
    weekly: weekly === 1,
    decisions: decisions === 1,
  }));
}

/** Returns which of these users want event reminders, with the day of the last event they got one about. */
export async function findEventReminderRecipients(db: Db, ids: readonly number[]) {
  const rows = await selectRecipients(db)
    .where('reminder_preferences.user_id', 'in', [...ids])
    .where('reminder_preferences.after_events', '=', 1)
    .execute();
  return rows.map((reader) => ({ ...reader, isProven: true as const }));
}

// Only users who can sign in and have a confirmed address get emails.
function selectRecipients(db: Db) {
  return db
    .selectFrom('reminder_preferences')
    .innerJoin('users', 'users.id', 'reminder_preferences.user_id')
    .select([...RECIPIENT, 'reminder_preferences.last_event_day as lastEventDay'])
    .where('users.is_active', '=', 1)
    .where('users.erased_at', 'is', null)
    .where('users.email_verified_at', 'is not', null);
}
