import { recordEvents } from '#server/audit-log.ts';
import { inChunks } from '#server/db/chunks.ts';
import type { Trx } from '#server/db/database.ts';
import { verifyingSchools } from '#server/db/queries/verification-state.ts';
import { type ReopenedEntry, reopenDecisions, type StoredDecision } from '#server/entry-decisions-store.ts';
import { type Acting, ALL_SCHOOLS_SCOPE, actorOf, type SchoolScope } from '#server/http/viewer.ts';
import { fromHundredths } from '#shared/hours.ts';
import {
  type EntryDecision,
  type EntryVersion,
  findNames,
  lockEntries,
  type QueueRow,
  restoreVerificationState,
  writeDecision,
} from './verification-decisions-store.ts';
import { findActivityEditors } from './volunteers-store.ts';

export {
  type EntryDecision,
  type EntryVersion,
  findVerificationQueueEntries,
  readVerificationQueue,
  readVerificationQueueTotals,
  type VerificationQueueCursor,
  type VerificationQueueFilter,
} from './verification-decisions-store.ts';

/**
 * The reason why an entry was skipped. `by` is the name of the user, or the address of the external verifier, who decided
 * about it earlier; null if its hours count without a decision.
 */
export type DecisionObstacle =
  | Readonly<{ id: number; is: 'missing' | 'own' | 'waiting' | 'changed' }>
  | Readonly<{ id: number; is: 'verified' | 'declined'; by: string | null }>;

/** Called in the same transaction after some entries were decided about. */
type OnDecided = (entries: readonly QueueRow[]) => Promise<void>;

/**
 * Decides about entries at the viewer's schools that verify hours: verifies or declines waiting
 * entries, or reopens decided ones. Returns the obstacles, such as a change since the user saw the entry.
 */
export async function decideEntries(
  trx: Trx,
  acting: Acting,
  seen: readonly EntryVersion[],
  { decided, onDecided }: { decided: EntryDecision; onDecided: OnDecided },
): Promise<DecisionObstacle[]> {
  const schools = await verifyingSchools(trx, acting.viewer.schools);
  const obstacles: DecisionObstacle[] = [];
  const versions = new Map(seen.map(({ id, version }) => [id, version]));
  const sorted = [...versions.keys()].sort((a, b) => a - b);
  await inChunks(sorted, async (some) => {
    const rows = schools.length === 0 ? [] : await lockEntries(trx, schools, some);
    const found = new Map(rows.map((row) => [row.id, row]));
    const names = await findNames(trx, [...new Set(rows.flatMap((row) => row.decided_by ?? []))]);
    const free: QueueRow[] = [];
    for (const id of some) {
      const row = found.get(id);
      const obstacle = findObstacle(acting, decided, { id, row, version: versions.get(id), names });
      if (obstacle === undefined && row !== undefined) free.push(row);
      else if (obstacle !== undefined) obstacles.push(obstacle);
    }
    if (free.length > 0) await applyDecision(trx, acting, free, { decided, onDecided });
  });
  return obstacles;
}

/**
 * Before two accounts are merged, reopens hours of account `of` that the owner of `other` may have verified for themselves:
 * hours that counted without a decision where that user may edit activities, or all verified hours if that user merges the
 * accounts. Returns them for an unmerge.
 */
export async function reopenSelfVerifiedEntries(
  trx: Trx,
  { viewer, request }: Acting,
  { of, other }: { of: number; other: number },
): Promise<ReopenedEntry[]> {
  const mayEdit = await findActivityEditors(trx, [other]);
  const isOwn = viewer.userId === other;
  return reopenDecisions(
    trx,
    actorOf(viewer, request),
    { userId: of, all: true },
    ({ verification, school_id, decided_by, decided_by_external }) =>
      verification === 'verified' &&
      (isOwn || (decided_by === null && decided_by_external === null && mayEdit(other, school_id))),
  );
}

/** Restores decisions about entries that have not changed since. */
export async function undoDecisions(
  trx: Trx,
  acting: Acting,
  reopened: readonly ReopenedEntry[],
): Promise<void> {
  for (const { id, version, state } of reopened) {
    await restoreDecision(trx, acting, { schools: ALL_SCHOOLS_SCOPE }, { ids: [id], version, state });
  }
}

/**
 * Restores the verification state of entries that still have this version and audits it. Returns the restored entries, by id,
 * without those of user `exceptOf`.
 */
export async function restoreDecision(
  trx: Trx,
  { viewer, request }: Acting,
  scope: { schools: SchoolScope; exceptOf?: number },
  { ids, version, state }: { ids: readonly number[]; version: number; state: StoredDecision },
): Promise<{ id: number; schoolId: number; personId: number }[]> {
  const restored = await restoreVerificationState(trx, scope, { ids, version, state });
  const after = {
    verification: state.verification ?? 'waiting',
    countedHours: fromHundredths(state.counted_hundredths),
  };
  const auditEvents = restored.map(({ id: subjectId, ...about }) => ({
    action: 'entry.undo-decision',
    subject: 'time-entry',
    subjectId,
    ...about,
    after,
  }));
  await recordEvents(trx, actorOf(viewer, request), auditEvents);
  return restored;
}

function findObstacle(
  { viewer }: Acting,
  decided: EntryDecision,
  {
    id,
    row,
    version,
    names,
  }: EntryVersion & { row: QueueRow | undefined; names: ReadonlyMap<number, string> },
): DecisionObstacle | undefined {
  if (row === undefined) return { id, is: 'missing' };
  if (row.user_id === viewer.userId) return { id, is: 'own' };
  const status = row.verification ?? 'waiting';
  const changed =
    version === undefined || version === row.version ? undefined : ({ id, is: 'changed' } as const);
  if (decided.status === 'waiting') return status === 'waiting' ? { id, is: status } : changed;
  if (status === 'waiting') return changed;
  const name = row.decided_by === null ? undefined : names.get(row.decided_by);
  return { id, is: status, by: row.decided_by_external ?? name ?? null };
}

async function applyDecision(
  trx: Trx,
  { viewer, request }: Acting,
  rows: readonly QueueRow[],
  { decided, onDecided }: { decided: EntryDecision; onDecided: OnDecided },
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await writeDecision(trx, ids, decided, { by: viewer.userId, at: request.at });
  await onDecided(rows);
  const auditEvents = rows.map((row) => ({
    action: ACTIONS[decided.status],
    subject: 'time-entry',
    subjectId: row.id,
    schoolId: row.school_id,
    personId: row.user_id,
    before: {
      verification: row.verification ?? 'waiting',
      countedHours: fromHundredths(row.counted_hundredths),
    },
    after: {
      verification: decided.status,
      countedHours: fromHundredths(verifiedHundredths(row, decided)),
      ...(decided.note === null ? {} : { decisionNote: decided.note }),
    },
  }));
  await recordEvents(trx, actorOf(viewer, request), auditEvents);
}

function verifiedHundredths(row: QueueRow, decided: EntryDecision): number {
  return decided.status === 'verified' ? (decided.hundredths ?? row.hours_hundredths) : 0;
}

const ACTIONS = {
  verified: 'entry.verify',
  declined: 'entry.decline',
  waiting: 'entry.reopen',
} as const;
