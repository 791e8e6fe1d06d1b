import type { Trx } from '#server/db/database.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { toHundredths } from '#shared/hours.ts';
import { FORGOTTEN } from './verification-status-store.ts';

/** What a supervisor outside decided: the hours that count, or why none do. */
export type OutsideDecision = Readonly<{
  entryId: number;
  /** The version that they saw. */
  version: number;
  counted: number;
  /** Null verifies. */
  reason: string | null;
}>;

/** Decides about hours that still wait as the supervisor saw them. False when somebody was quicker. */
export async function writeExternalDecision(
  trx: Trx,
  { entryId, version, counted, reason }: OutsideDecision,
  { address, at }: Readonly<{ address: string; at: Instant }>,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('time_entries')
    .set({
      ...FORGOTTEN,
      verification: reason === null ? 'verified' : 'declined',
      counted_hundredths: toHundredths(counted),
      decided_outside: address,
      decided_at: at,
      decided_version: version,
      decision_note: reason,
      version: version + 1,
    })
    .where('id', '=', entryId)
    .where('version', '=', version)
    .where('verification', '=', 'waiting')
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
