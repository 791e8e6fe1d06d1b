import type { Db } from '#server/db/database.ts';
import { RECIPIENT, type Recipient } from '#server/db/queries/recipient.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';

/** Somebody to write to, whose address is confirmed. */
export type Reader = Recipient & Readonly<{ isProven: true }>;

/** Who wants the letter on Mondays and has not had this week's, by account, after an account. */
export async function weeklySummaryRecipients(
  db: Db,
  { monday, after, limit }: { monday: CalendarDate; after: number; limit: number },
) {
  const rows = await readers(db)
    .select(['reminder_mail.weekly', 'reminder_mail.decisions'])
    .where('reminder_mail.user_id', '>', after)
    .where((eb) => eb.or([eb('reminder_mail.weekly', '=', 1), eb('reminder_mail.decisions', '=', 1)]))
    .where((eb) =>
      eb.or([
        eb('reminder_mail.last_weekly_day', 'is', null),
        eb('reminder_mail.last_weekly_day', '<', monday),
      ]),
    )
    .orderBy('reminder_mail.user_id')
    .limit(limit)
    .execute();
  return rows.map(({ weekly, decisions, lastEventDay: _, ...reader }) => ({
    ...reader,
    isProven: true as const,
    weekly: weekly === 1,
    decisions: decisions === 1,
  }));
}

/** Of some accounts those that want letters after events, each with the day of the last event that one was about. */
export async function eventReminderRecipients(db: Db, ids: readonly number[]) {
  const rows = await readers(db)
    .where('reminder_mail.user_id', 'in', [...ids])
    .where('reminder_mail.after_events', '=', 1)
    .execute();
  return rows.map((reader) => ({ ...reader, isProven: true as const }));
}

// Only whoever can sign in and has confirmed the address is written to.
function readers(db: Db) {
  return db
    .selectFrom('reminder_mail')
    .innerJoin('users', 'users.id', 'reminder_mail.user_id')
    .select([...RECIPIENT, 'reminder_mail.last_event_day as lastEventDay'])
    .where('users.is_active', '=', 1)
    .where('users.erased_at', 'is', null)
    .where('users.email_verified_at', 'is not', null);
}
