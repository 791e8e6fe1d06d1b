import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { RECIPIENT, type Recipient } from '#server/db/queries/recipient.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { MailChoice } from '../contract.ts';

/** A suggestion in the digest. */
export type PendingSuggestion = Readonly<{ name: string; school: string; at: Instant }>;

/** Returns a user's email preferences. The default is decisions but no digest. */
export async function findEmailPreference(db: Db, userId: number): Promise<MailChoice> {
  const row = await db
    .selectFrom('suggestion_email_preferences')
    .select(['decisions', 'digest'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return { decisions: row?.decisions !== 0, digest: row?.digest === 1 };
}

/** Stores a user's email preferences. */
export async function saveEmailPreference(trx: Trx, userId: number, choice: MailChoice): Promise<void> {
  const flags = { decisions: choice.decisions ? 1 : 0, digest: choice.digest ? 1 : 0 } as const;
  await trx
    .insertInto('suggestion_email_preferences')
    .values({ user_id: userId, ...flags })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(flags))
    .execute();
}

/** Returns the author of a suggestion if the account is active and wants emails about decisions, else undefined. */
export async function findDecisionRecipient(
  db: Db,
  userId: number,
): Promise<(Recipient & { isProven: boolean }) | undefined> {
  const row = await db
    .selectFrom('users')
    .leftJoin('suggestion_email_preferences', 'suggestion_email_preferences.user_id', 'users.id')
    .select([...RECIPIENT, 'users.email_verified_at as provenAt'])
    .where('users.id', '=', userId)
    .where('users.is_active', '=', 1)
    .where((eb) =>
      eb.or([
        eb('suggestion_email_preferences.decisions', 'is', null),
        eb('suggestion_email_preferences.decisions', '=', 1),
      ]),
    )
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { provenAt, ...recipient } = row;
  return { ...recipient, isProven: provenAt !== null };
}

/** Returns the ids of users who want the digest. */
export async function findDigestRecipients(db: Db): Promise<ReadonlySet<number>> {
  const rows = await db
    .selectFrom('suggestion_email_preferences')
    .select('user_id')
    .where('digest', '=', 1)
    .execute();
  return new Set(rows.map((row) => row.user_id));
}

/** Returns the oldest pending suggestions of these schools. */
export async function findOldestPending(
  db: Db,
  schools: SchoolScope,
  limit: number,
): Promise<PendingSuggestion[]> {
  return db
    .selectFrom('activity_suggestions')
    .innerJoin('schools', 'schools.id', 'activity_suggestions.school_id')
    .select([
      'activity_suggestions.name',
      translatedName('schools').as('school'),
      'activity_suggestions.created_at as at',
    ])
    .where('activity_suggestions.status', '=', 'pending')
    .where(inSchools('activity_suggestions.school_id', schools))
    .orderBy('activity_suggestions.id')
    .limit(limit)
    .execute();
}
