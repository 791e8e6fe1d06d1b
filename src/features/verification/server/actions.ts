import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { messages as entryMessages } from '#features/time-entries/contract.ts';
import {
  addFlagsToEntries,
  type FlagContext,
  flagContext,
} from '#features/time-entries/server/entry-flags.ts';
import {
  type DecisionObstacle,
  decideEntries,
  type EntryDecision,
  type EntryVersion,
  findVerificationQueueEntries,
  readVerificationQueue,
  readVerificationQueueTotals,
  restoreDecision,
  type VerificationQueueCursor,
  type VerificationQueueFilter,
} from '#features/time-entries/server/verification-decisions.ts';
import { reopenOwnDecisions } from '#features/users/server/own-emails.ts';
import { inChunks } from '#server/db/chunks.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { cutPage, type Page, readPage } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
import { decisionOf, type StoredDecision } from '#server/entry-decisions-store.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import {
  addDays,
  type CalendarDate,
  dayIn,
  type Instant,
  instantOf,
  millisecondsOf,
  plusMilliseconds,
  startOfDay,
} from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { fromHundredths, toHundredths } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import {
  DECISION_LIMITS,
  type DecisionInput,
  messages,
  OVERDUE_DAYS,
  type Skipped,
  type VerificationFilter,
} from '../contract.ts';
import { findVerifierRequests } from '../external-verifiers/server/actions.ts';
import {
  deleteSnapshotsBefore,
  insertBatch,
  listSnapshots,
  lockBatch,
  markUndone,
  saveEntrySnapshots,
} from './store.ts';

const LIST = 'admin/verifications, late first';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Returns a page of the entries at schools that verify hours, with totals: overdue entries first, then by day, oldest first.
 */
export async function listVerificationQueue(
  deps: Deps,
  viewer: Viewer,
  query: VerificationFilter & { limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const page = readPage(deps.secretKey, LIST, query);
  const filter = await toQueueFilter(flagContext(deps, db), viewer, query);
  const { total, hundredths } = await readVerificationQueueTotals(db, filter);
  const cursor = queueCursor(deps, filter, page);
  const found = await readVerificationQueue(db, viewer, filter, cursor);
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list: LIST, rows: found, limit: page.limit },
    (entry) => [cursor.lateBefore, entry.createdAt < cursor.lateBefore ? 1 : 0, entry.entryDate, entry.id],
  );
  const requests = await findVerifierRequests(
    db,
    rows.map(({ id }) => id),
  );
  const entries = (await addFlagsToEntries(flagContext(deps, db), viewer, rows)).map((entry) => ({
    ...entry,
    asked: requests.get(entry.id) ?? null,
    isLate: entry.createdAt < cursor.lateBefore,
  }));
  return { entries, nextCursor, total, totalHours: fromHundredths(hundredths) };
}

// All pages of one list use the same `lateBefore`, even across midnight. Only waiting entries can be late.
function queueCursor(
  { config, clock }: Deps,
  { status }: VerificationQueueFilter,
  { limit, after }: Page,
): VerificationQueueCursor {
  if (after !== undefined) {
    const [lateBefore, isLate, date, id] = after as [Instant, number, CalendarDate, number];
    return { limit, lateBefore, after: { isLate: isLate === 1, date, id } };
  }
  const { timeZone } = config;
  const firstDay = addDays(dayIn(timeZone, clock.now()), -OVERDUE_DAYS);
  const lateBefore = status === 'waiting' ? startOfDay(timeZone, firstDay) : instantOf(0);
  return { limit, lateBefore, after: undefined };
}

/** Decides about entries in one transaction; entries with an obstacle are skipped. */
export async function decideInBatch(trx: Trx, deps: Deps, acting: Acting, input: DecisionInput) {
  const { entryIds, versions } = input;
  const seen =
    entryIds?.map((id, at) => ({ id, version: versions?.[at] })) ??
    (await findSeenEntries(flagContext(deps, trx), acting.viewer, input));
  const { at } = acting.request;
  let batch: number | null = null;
  let changed = 0;
  const obstacles = await decideEntries(trx, acting, seen, {
    decided: toEntryDecision(input),
    onDecided: async (rows) => {
      batch ??= await insertBatch(trx, { decision: input.decision, by: acting.viewer.userId, at });
      const snapshots = rows.map((row) => ({
        entryId: row.id,
        version: row.version + 1,
        before: JSON.stringify(decisionOf(row)),
      }));
      await saveEntrySnapshots(trx, batch, snapshots);
      changed += rows.length;
    },
  });
  return { changed, skipped: obstacles.map((obstacle) => toSkipped(deps, obstacle)), batch };
}

/** Deletes the snapshots of entries from decisions that are more than an hour old. */
export function deleteOldDecisionSnapshots(trx: Trx, now: Instant): Promise<void> {
  return deleteSnapshotsBefore(trx, plusMilliseconds(now, -HOUR_MS));
}

/** Undoes a decision within ten minutes, except for entries that have since changed. */
export function undoBatch(
  deps: Deps,
  acting: Acting,
  id: number,
): Promise<{ changed: number; message: string }> {
  const { viewer, request } = acting;
  return transaction(deps.database, async (trx) => {
    const batch = await lockBatch(trx, id, viewer.userId);
    if (batch === undefined) throw errors.notFound(messages.undoNotFound);
    const age = millisecondsOf(request.at) - millisecondsOf(batch.decided_at);
    if (age > DECISION_LIMITS.undoMinutes * MINUTE_MS) throw errors.conflict(messages.tooLateToUndo);
    const changed = batch.undone_at === null ? await restoreBatch(trx, acting, id) : 0;
    if (batch.undone_at === null) await markUndone(trx, id, request.at);
    return { changed, message: translate(deps, messages.undone(changed)) };
  });
}

// Skips entries that became the viewer's own since, by a merge or a changed address.
async function restoreBatch(trx: Trx, acting: Acting, batch: number): Promise<number> {
  const { viewer, request } = acting;
  const where = { schools: viewer.schools, exceptOf: viewer.userId };
  const peopleToRecheck = new Set<number>();
  let changed = 0;
  await inChunks(await listSnapshots(trx, batch), async (some) => {
    // Most entries had the same state before the decision, so one statement restores all entries with equal state.
    for (const alike of Map.groupBy(some, ({ version, before }) => `${version} ${before}`).values()) {
      const [{ version, before } = { version: 0, before: '{}' }] = alike;
      const state = JSON.parse(before) as StoredDecision;
      const ids = alike.map(({ entryId }) => entryId);
      const restored = await restoreDecision(trx, acting, where, { ids, version, state });
      changed += restored.length;
      if (state.decided_by_external === null) continue;
      for (const { personId } of restored) peopleToRecheck.add(personId);
    }
  });
  for (const personId of peopleToRecheck) {
    await reopenOwnDecisions(trx, actorOf(viewer, request), personId);
  }
  return changed;
}

// Rejects when the number of entries or their hours differ from what the user saw. Entries that change after this
// query are skipped later.
async function findSeenEntries(
  context: FlagContext,
  viewer: Viewer,
  { filter = {}, expectedTotal, expectedHours }: DecisionInput,
): Promise<EntryVersion[]> {
  const { db } = context;
  const wanted = await toQueueFilter(context, viewer, filter);
  const entries = await findVerificationQueueEntries(db, wanted, DECISION_LIMITS.atMost + 1);
  const isTooMany = entries.length > DECISION_LIMITS.atMost;
  const total = isTooMany ? (await readVerificationQueueTotals(db, wanted)).total : entries.length;
  if (total !== expectedTotal) throw errors.countChanged(messages.countChanged(total), total);
  if (isTooMany) throw errors.invalid(messages.tooMany, { filter: messages.tooMany });
  const hundredths = entries.reduce((sum, entry) => sum + entry.hundredths, 0);
  if (expectedHours !== undefined && hundredths !== toHundredths(expectedHours)) {
    throw errors.countChanged(messages.hoursChanged, total);
  }
  return entries;
}

async function toQueueFilter(
  { db, timeZone }: FlagContext,
  viewer: Viewer,
  { schoolId, status = 'waiting', ...rest }: VerificationFilter,
): Promise<VerificationQueueFilter> {
  const { activityId, userId, startDate, endDate, flag } = rest;
  const schools = await findRequestedSchools(db, viewer, schoolId);
  return { schools, status, activityId, userId, startDate, endDate, flag, timeZone };
}

function toEntryDecision({ decision, hours, reason }: DecisionInput): EntryDecision {
  const note = reason ?? null;
  if (decision === 'reopen') return { status: 'waiting', note };
  if (decision === 'decline') return { status: 'declined', note: note ?? '' };
  return { status: 'verified', hundredths: hours == null ? null : toHundredths(hours), note };
}

function toSkipped(deps: Deps, obstacle: DecisionObstacle): Skipped {
  return { id: obstacle.id, why: translate(deps, skipMessage(obstacle)) };
}

function skipMessage(obstacle: DecisionObstacle): Message {
  switch (obstacle.is) {
    case 'missing':
      return entryMessages.notFound;
    case 'own':
      return messages.yourOwn;
    case 'waiting':
      return messages.alreadyWaits;
    case 'changed':
      return messages.changedSince;
    case 'declined':
      return obstacle.by === null ? messages.alreadyWaits : messages.alreadyDeclined(obstacle.by);
    case 'verified':
      return obstacle.by === null ? messages.alreadyCounts : messages.alreadyVerified(obstacle.by);
  }
}
