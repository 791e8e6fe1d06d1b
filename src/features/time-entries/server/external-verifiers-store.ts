import { inChunks } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import { NO_DECISION } from '#server/entry-decisions-store.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { toHundredths } from '#shared/hours.ts';

/** The external verifier that a volunteer named last for an activity, or null. */
export async function findLastNamedVerifier(
  db: Db,
  userId: number,
  activityId: number,
): Promise<string | null> {
  const row = await db
    .selectFrom('time_entries')
    .select('external_verifier')
    .where('user_id', '=', userId)
    .where('activity_id', '=', activityId)
    .where('external_verifier', 'is not', null)
    .where('deleted_at', 'is', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.external_verifier ?? null;
}

/**
 * Locks a volunteer's waiting entries of an activity that name the same external verifier as entry `id`, until the
 * transaction ends. Returns their ids in order, and that verifier as `before`; no ids if entry `id` is not
 * waiting.
 */
export async function lockEntriesWithSameVerifier(
  trx: Trx,
  { id, userId, activityId }: { id: number; userId: number; activityId: number },
): Promise<{ entryIds: number[]; before: string | null }> {
  const waiting = trx
    .selectFrom('time_entries')
    .select(['id', 'external_verifier as named'])
    .where('user_id', '=', userId)
    .where('activity_id', '=', activityId)
    .where('verification', '=', 'waiting')
    .where('deleted_at', 'is', null)
    .orderBy('id');
  const rows = await forUpdate(trx, waiting).execute();
  const one = rows.find((row) => row.id === id);
  if (one === undefined) return { entryIds: [], before: null };
  const same = rows.filter(({ named }) => named === one.named);
  return { entryIds: same.map((row) => row.id), before: one.named };
}

/**
 * Changes the external verifier of entries. Their versions change, so earlier email links no longer apply to them.
 */
export async function setExternalVerifier(
  trx: Trx,
  entryIds: readonly number[],
  address: string,
): Promise<void> {
  await inChunks(entryIds, async (some) => {
    await trx
      .updateTable('time_entries')
      .set((eb) => ({ external_verifier: address, version: eb('version', '+', 1) }))
      .where('id', 'in', some)
      .execute();
  });
}

/** An external verifier's decision: the hours that count, or why none do. */
export type ExternalDecision = Readonly<{
  entryId: number;
  /** The version of the entry that the verifier saw. */
  version: number;
  counted: number;
  /** The reason for declining the entry; null verifies it. */
  reason: string | null;
}>;

/**
 * Stores a decision about an entry that still waits in the version the verifier saw. Returns false if it has
 * since been changed, deleted or decided about.
 */
export function writeExternalDecision(
  trx: Trx,
  { entryId, version, counted, reason }: ExternalDecision,
  { address, at }: Readonly<{ address: string; at: Instant }>,
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('time_entries')
      .set({
        ...NO_DECISION,
        verification: reason === null ? 'verified' : 'declined',
        counted_hundredths: toHundredths(counted),
        decided_by_external: address,
        decided_at: at,
        decided_version: version,
        decision_note: reason,
        version: version + 1,
      })
      .where('id', '=', entryId)
      .where('version', '=', version)
      .where('verification', '=', 'waiting')
      .where('deleted_at', 'is', null),
  );
}
