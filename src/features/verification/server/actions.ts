import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { messages as entryMessages } from '#features/time-entries/contract.ts';
import { addFlagsToEntries, flagContext, type Here } from '#features/time-entries/server/entry-flags.ts';
import {
  type Decided,
  type DecisionObstacle,
  decideEntries,
  findVerificationQueueEntries,
  type KeptState,
  putBack,
  readVerificationQueue,
  readVerificationQueueTotals,
  type Seen,
  stateOf,
  type VerificationQueueCursor,
  type VerificationQueueFilter,
} from '#features/time-entries/server/verification-decisions.ts';
import { reopenOwnDecisions } from '#features/users/server/own-emails.ts';
import { recordAll } from '#server/audit-log.ts';
import { inChunks } from '#server/db/chunks.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { cutPage, type Page, readPage } from '#server/db/queries/pagination.ts';
import type { Deps } from '#server/deps.ts';
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
import { refuse } from '#shared/errors.ts';
import { fromHundredths, toHundredths } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import {
  DECIDED,
  type DecisionInput,
  messages,
  OVERDUE_DAYS,
  type Skipped,
  type VerificationFilter,
} from '../contract.ts';
import { askedOutside } from '../external-verifiers/server/actions.ts';
import {
  deleteSnapshotsBefore,
  entriesOf,
  insertBatch,
  lockBatch,
  markUndone,
  saveEntrySnapshots,
} from './store.ts';

const LIST = 'admin/verifications, late first';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * A page of the entries at schools that verify, with how many there are in all: oldest day first, but before all others
 * those that have waited too long.
 */
export async function listVerificationQueue(
  deps: Deps,
  viewer: Viewer,
  query: VerificationFilter & { limit?: number | undefined; cursor?: string | undefined },
) {
  const { db } = deps.database;
  const page = readPage(deps.secretKey, LIST, query);
  const filter = await filterOf(flagContext(deps, db), viewer, query);
  const { total, hundredths } = await readVerificationQueueTotals(db, filter);
  const place = placeOf(deps, filter, page);
  const found = await readVerificationQueue(db, viewer, filter, place);
  const { rows, nextCursor } = cutPage(
    deps.secretKey,
    { list: LIST, rows: found, limit: page.limit },
    (entry) => [place.lateBefore, entry.createdAt < place.lateBefore ? 1 : 0, entry.entryDate, entry.id],
  );
  const asked = await askedOutside(
    db,
    rows.map(({ id }) => id),
  );
  const entries = (await addFlagsToEntries(flagContext(deps, db), viewer, rows)).map((entry) => ({
    ...entry,
    asked: asked.get(entry.id) ?? null,
    isLate: entry.createdAt < place.lateBefore,
  }));
  return { entries, nextCursor, total, totalHours: fromHundredths(hundredths) };
}

// The same moment on all pages of one list, also where midnight lies between them. Only what waits can be late.
function placeOf(
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

/** Decides about entries: about all of them, in one transaction, but for those that something stands in the way of. */
export async function decideTogether(trx: Trx, deps: Deps, acting: Acting, input: DecisionInput) {
  const { entryIds, versions } = input;
  const seen =
    entryIds?.map((id, at) => ({ id, version: versions?.[at] })) ??
    (await found(flagContext(deps, trx), acting.viewer, input));
  const { at } = acting.request;
  let batch: number | null = null;
  let changed = 0;
  const obstacles = await decideEntries(trx, acting, seen, {
    decided: decidedBy(input),
    keep: async (rows) => {
      batch ??= await insertBatch(trx, { decision: input.decision, by: acting.viewer.userId, at });
      const kept = rows.map((row) => ({
        entryId: row.id,
        version: row.version + 1,
        before: JSON.stringify(stateOf(row)),
      }));
      await saveEntrySnapshots(trx, batch, kept);
      changed += rows.length;
    },
  });
  return { changed, skipped: obstacles.map((obstacle) => skipped(deps, obstacle)), batch };
}

/** Forgets what entries were before decisions that were made more than an hour ago. */
export function sweepDecisions(trx: Trx, now: Instant): Promise<void> {
  return deleteSnapshotsBefore(trx, plusMilliseconds(now, -HOUR_MS));
}

/** Takes a decision back within ten minutes; entries that were changed since stay as they are. */
export function undo(deps: Deps, acting: Acting, id: number): Promise<{ changed: number; message: string }> {
  const { viewer, request } = acting;
  return transaction(deps.database, async (trx) => {
    const batch = await lockBatch(trx, id, viewer.userId);
    if (batch === undefined) throw refuse.notFound(messages.undoNotFound);
    const age = millisecondsOf(request.at) - millisecondsOf(batch.decided_at);
    if (age > DECIDED.undoMinutes * MINUTE_MS) throw refuse.conflict(messages.tooLateToUndo);
    const changed = batch.undone_at === null ? await putAllBack(trx, acting, id) : 0;
    if (batch.undone_at === null) await markUndone(trx, id, request.at);
    return { changed, message: translate(deps, messages.undone(changed)) };
  });
}

// What a merge or another address has made their own since, nobody puts back for themselves.
async function putAllBack(trx: Trx, { viewer, request }: Acting, batch: number): Promise<number> {
  const actor = actorOf(viewer, request);
  const where = { schools: viewer.schools, exceptOf: viewer.userId };
  const askedOutside = new Set<number>();
  let changed = 0;
  await inChunks(await entriesOf(trx, batch), async (some) => {
    const deeds = [];
    // Most were in the same state before: those are one statement.
    for (const alike of Map.groupBy(some, ({ version, before }) => `${version} ${before}`).values()) {
      const [{ version, before } = { version: 0, before: '{}' }] = alike;
      const state = JSON.parse(before) as KeptState;
      const ids = alike.map(({ entryId }) => entryId);
      const after = {
        verification: state.verification ?? 'waiting',
        countedHours: fromHundredths(state.counted_hundredths),
      };
      for (const { id, ...about } of await putBack(trx, where, { ids, version, state })) {
        if (state.decided_outside !== null) askedOutside.add(about.personId);
        deeds.push({ action: 'entry.undo-decision', subject: 'time-entry', subjectId: id, ...about, after });
      }
    }
    changed += deeds.length;
    await recordAll(trx, actor, deeds);
  });
  for (const personId of askedOutside) await reopenOwnDecisions(trx, actor, personId);
  return changed;
}

// More by now than were seen, fewer, or other hours: whoever decides looks again. What is changed after they are found here
// is left as it is.
async function found(
  here: Here,
  viewer: Viewer,
  { filter = {}, expectedTotal, expectedHours }: DecisionInput,
): Promise<Seen[]> {
  const { db } = here;
  const wanted = await filterOf(here, viewer, filter);
  const entries = await findVerificationQueueEntries(db, wanted, DECIDED.atMost + 1);
  const isTooMany = entries.length > DECIDED.atMost;
  const total = isTooMany ? (await readVerificationQueueTotals(db, wanted)).total : entries.length;
  if (total !== expectedTotal) throw refuse.countChanged(messages.countChanged(total), total);
  if (isTooMany) throw refuse.invalid(messages.tooMany, { filter: messages.tooMany });
  const hundredths = entries.reduce((sum, entry) => sum + entry.hundredths, 0);
  if (expectedHours !== undefined && hundredths !== toHundredths(expectedHours)) {
    throw refuse.countChanged(messages.hoursChanged, total);
  }
  return entries;
}

async function filterOf(
  { db, timeZone }: Here,
  viewer: Viewer,
  { schoolId, status = 'waiting', ...rest }: VerificationFilter,
): Promise<VerificationQueueFilter> {
  const { activityId, userId, startDate, endDate, flag } = rest;
  const schools = await findRequestedSchools(db, viewer, schoolId);
  return { schools, status, activityId, userId, startDate, endDate, flag, timeZone };
}

function decidedBy({ decision, hours, reason }: DecisionInput): Decided {
  const note = reason ?? null;
  if (decision === 'reopen') return { status: 'waiting', note };
  if (decision === 'decline') return { status: 'declined', note: note ?? '' };
  return { status: 'verified', hundredths: hours == null ? null : toHundredths(hours), note };
}

function skipped(deps: Deps, obstacle: DecisionObstacle): Skipped {
  return { id: obstacle.id, why: translate(deps, whyOf(obstacle)) };
}

function whyOf(obstacle: DecisionObstacle): Message {
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
