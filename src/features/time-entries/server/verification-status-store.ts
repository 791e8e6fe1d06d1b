import type { Trx } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import { NO_DECISION, type StoredDecision } from '#server/entry-decisions-store.ts';
import { canAt, type SignedIn } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { fromHundredths } from '#shared/hours.ts';
import type { TimeEntry } from '../contract.ts';
import type { Verification } from '../verification-status.ts';

/** Volunteers see this instead of the name of a verifier at their school. */
const YOUR_SCHOOL = 'your school';

/** The columns of an entry's verification. */
export const VERIFICATION_COLUMNS = `time_entries.verification, time_entries.counted_hundredths, time_entries.decided_by_external,
    time_entries.decided_at, time_entries.decision_note, time_entries.reopen_note, time_entries.reopen_asked_at,
    case when time_entries.decided_by is not null then (
      select deciders.first_name || ' ' || deciders.last_name from users as deciders
      where deciders.id = time_entries.decided_by) end as decided_name`;

/** The values of `VERIFICATION_COLUMNS` in a row. */
export type VerificationColumns = Omit<StoredDecision, 'decided_by' | 'decided_version'> &
  Readonly<{ decided_name: string | null }>;

/** The columns that a change of an entry's state sets. */
export type StateChange = Partial<StoredDecision & Pick<Row<'time_entries'>, 'external_verifier'>>;

/** Returns an entry's verification for the API; null at a school that does not verify hours. */
export function verificationOf(
  row: VerificationColumns & { school_verification: 'off' | 'on' },
  seesEverybodys: boolean,
): Verification | null {
  if (row.school_verification === 'off') return null;
  const { decided_name: name, decided_by_external: address } = row;
  return {
    status: row.verification ?? 'waiting',
    hours: fromHundredths(row.counted_hundredths),
    by: address ?? (name === null || seesEverybodys ? name : YOUR_SCHOOL),
    at: row.decided_at,
    note: row.decision_note,
    reopenRequested: row.reopen_asked_at !== null,
    reopenNote: row.reopen_note,
  };
}

/**
 * Whether the viewer cannot change an entry because it was decided about. Users who may edit everyone's entries can,
 * except their own.
 */
export function isLocked(
  viewer: SignedIn,
  { userId, schoolId, verification }: Pick<TimeEntry, 'schoolId' | 'verification'> & { userId: number },
): boolean {
  if (verification === null || verification.status === 'waiting') return false;
  return userId === viewer.userId || !canAt(viewer, 'edit entries', schoolId);
}

/** Stores a volunteer's request to reopen an entry. */
export async function saveReopenRequest(
  trx: Trx,
  id: number,
  { note, at }: { note: string; at: Instant },
): Promise<void> {
  await trx
    .updateTable('time_entries')
    .set((eb) => ({ reopen_note: note, reopen_asked_at: at, version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/** Verifies entries with all of their hours; `by` is the user who verified them; null if they count without a decision. */
export async function verifyAllHours(
  trx: Trx,
  ids: readonly number[],
  at: Instant,
  by: number | null = null,
): Promise<void> {
  if (ids.length === 0) return;
  await trx
    .updateTable('time_entries')
    .set((eb) => ({
      ...NO_DECISION,
      verification: 'verified',
      counted_hundredths: eb.ref('hours_hundredths'),
      decided_by: by,
      decided_at: at,
      decided_version: 1,
    }))
    .where('id', 'in', ids)
    .execute();
}
