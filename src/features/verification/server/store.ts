import { inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/database.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { Decision } from '../contract.ts';

/** An entry of a decision, with its version after the decision and its state before it as JSON. */
export type EntrySnapshot = Readonly<{ entryId: number; version: number; before: string }>;

/** Stores a decision; returns its id. */
export async function insertBatch(
  trx: Trx,
  made: { decision: Decision; by: number; at: Instant },
): Promise<number> {
  const { id } = await trx
    .insertInto('verification_batches')
    .values({ decided_by: made.by, decided_at: made.at, decision: made.decision })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores the state of entries before a decision. */
export async function saveEntrySnapshots(
  trx: Trx,
  batch: number,
  entries: readonly EntrySnapshot[],
): Promise<void> {
  await trx
    .insertInto('verification_batch_entries')
    .values(
      entries.map(({ entryId, version, before }) => ({
        batch_id: batch,
        entry_id: entryId,
        version,
        before,
      })),
    )
    .execute();
}

/** Returns a decision by this user and locks it until the transaction ends; undefined if there is none. */
export function lockBatch(trx: Trx, id: number, by: number) {
  return forUpdate(
    trx,
    trx.selectFrom('verification_batches').selectAll().where('id', '=', id).where('decided_by', '=', by),
  ).executeTakeFirst();
}

/** The snapshots of a decision's entries. */
export function listSnapshots(trx: Trx, batch: number): Promise<EntrySnapshot[]> {
  return trx
    .selectFrom('verification_batch_entries')
    .select(['entry_id as entryId', 'version', 'before'])
    .where('batch_id', '=', batch)
    .orderBy('entry_id')
    .execute();
}

/** Marks a decision as undone. */
export async function markUndone(trx: Trx, batch: number, at: Instant): Promise<void> {
  await trx.updateTable('verification_batches').set({ undone_at: at }).where('id', '=', batch).execute();
}

/** Deletes the snapshots of decisions made before a moment; the decisions stay. */
export async function deleteSnapshotsBefore(trx: Trx, before: Instant): Promise<void> {
  const old = await trx
    .selectFrom('verification_batches')
    .select('id')
    .where('decided_at', '<', before)
    .where('id', 'in', trx.selectFrom('verification_batch_entries').select('batch_id').distinct())
    .execute();
  await inChunks(old, (some) =>
    trx
      .deleteFrom('verification_batch_entries')
      .where(
        'batch_id',
        'in',
        some.map(({ id }) => id),
      )
      .execute(),
  );
}
