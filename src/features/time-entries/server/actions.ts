import { findTerms, type Terms } from '#features/activities/server/actions.ts';
import { findRequestedSchools } from '#features/schools/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { pageByKey } from '#server/db/queries/pagination.ts';
import { verifyingSchools } from '#server/db/queries/verification-state.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged, throwIfStale } from '#server/http/change-checks.ts';
import { checkRestore, isDeleted } from '#server/http/soft-delete.ts';
import {
  type Acting,
  actorOf,
  canAt,
  canEverywhere,
  type Request,
  scopeFor,
  type Viewer,
} from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { formatDay, schoolYearStart } from '#shared/calendar-date.ts';
import { changedFields } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import {
  type EntryExtras,
  MOST_ACTIVE,
  messages,
  type TimeEntry,
  type TimeEntryChange,
  type TimeEntryInput,
} from '../contract.ts';
import { ENTRY_FIELDS } from '../time-entry-fields.ts';
import { verificationMessages } from '../verification-contract.ts';
import type { VerifiedOnlyFilter } from '../verification-status.ts';
import { addFlags, addFlagsToEntries, flagContext } from './entry-flags.ts';
import {
  entryEvent,
  entryValues,
  findActivityForNewEntry,
  newEntryValues,
  pickActivity,
  rejectClosedPeriod,
  rejectInactiveActivity,
  rejectMissingNotes,
  resolveEntryDate,
  today,
} from './entry-rules.ts';
import { findExternalVerifier } from './external-verifiers.ts';
import {
  type ListedEntries,
  listEntries,
  listRecentOfActivity,
  sumByActivity,
} from './recent-entries-store.ts';
import {
  addEntry,
  changeEntry,
  type EntryScope,
  type EntryValues,
  findAndLockEntry,
  findEntry,
  lockEntry,
  markDeleted,
  toAddedEntry,
} from './store.ts';
import {
  auditedStatus,
  auditedStatusAfter,
  initialAuditedStatus,
  stateAfterEdit,
  stateAfterMove,
  trustCheck,
} from './verification-status.ts';
import { isLocked, type StateChange, verifyAllHours } from './verification-status-store.ts';

const LIST = 'time-entries';

type ListQuery = { schoolId?: number | undefined; only?: VerifiedOnlyFilter | undefined };

type EntryReply = { timeEntry: TimeEntry; message: string };

/** Returns a page of entries, latest day first: the viewer's own, or everyone's for district administrators (decisions). */
export async function listRecentEntries(
  deps: Deps,
  viewer: Viewer,
  query: ListQuery & { limit?: number | undefined; cursor?: string | undefined },
) {
  const scope = await toListedEntries(deps.database.db, viewer, query);
  const { rows, nextCursor } = await pageByKey(deps.secretKey, LIST, query, {
    read: (page) => listEntries(deps.database.db, viewer, scope, page),
    keyOf: (entry) => [entry.entryDate, entry.id],
  });
  return {
    timeEntries: await addFlagsToEntries(flagContext(deps, deps.database.db), viewer, rows),
    nextCursor,
  };
}

/** The activities with the most hours of this school year, each with its latest entries (decisions: shapes). */
export async function listMostActiveTasks(deps: Deps, { viewer, request }: Acting, query: ListQuery) {
  const { db } = deps.database;
  const scope = await toListedEntries(db, viewer, query);
  const verifying = scope.onlyVerifiedAt ?? (await verifyingSchools(db, scope.schools));
  const since = schoolYearStart(today(deps, request), deps.config.schoolYearStart);
  const sums = await sumByActivity(db, scope, { since, verifying });
  const top = await Promise.all(
    sums.slice(0, MOST_ACTIVE.activities).map(async ({ activityId, totalHours, countedHours }) => {
      const recent = await listRecentOfActivity(db, viewer, scope, { activityId, limit: MOST_ACTIVE.recent });
      if (recent[0] === undefined) return [];
      const verifiedHours = verifying.includes(recent[0].schoolId) ? countedHours : null;
      return [{ activity: recent[0].activity, totalHours, verifiedHours, recent }];
    }),
  );
  return {
    totalHours: sumHours(sums.map((sum) => sum.totalHours)),
    verifiedHours: verifying.length === 0 ? null : sumHours(sums.map((sum) => sum.countedHours)),
    activities: top.flat(),
  };
}

/** Logs hours for the viewer (specification section 5). */
export async function logHours(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: { viewer: Viewer; request: Request; input: TimeEntryInput & EntryExtras },
): Promise<EntryReply> {
  const { userId } = viewer;
  const activity = await findActivityForNewEntry(trx, viewer, input);
  const { schoolId, terms, ...ref } = activity;
  const values = newEntryValues(deps, request, { ...input, userId }, activity);
  const touched = { schoolId, terms, dates: [values.entryDate], reason: input.reason };
  const why = rejectClosedPeriod(deps, { viewer, request }, touched);
  const outsideVerifier = await findExternalVerifier(
    trx,
    viewer,
    { ...values, terms },
    input.outsideVerifier,
  );
  const logged = { ...values, at: request.at, outsideVerifier };
  const isTrusted = (await trustCheck(trx, terms, schoolId, [userId]))(userId);
  const added = await addEntry(trx, logged, actorOf(viewer, request), {
    action: 'entry.log',
    subject: 'time-entry',
    schoolId: values.schoolId,
    personId: userId,
    after: { ...values, ...initialAuditedStatus(isTrusted), ...why },
  });
  const isVerified = added.verification !== null && isTrusted;
  if (isVerified) await verifyAllHours(trx, [added.id], request.at);
  const entry = isVerified
    ? await requireEntry(trx, viewer, scopeWith(viewer, 'edit entries'), added.id)
    : toAddedEntry(viewer, added, logged, ref);
  return {
    timeEntry: await addFlags(flagContext(deps, trx), viewer, entry),
    message: loggedMessage(deps, request, entry),
  };
}

/**
 * Changes an entry; absent fields keep their values. The entry may keep an activity that has since been deactivated
 * (decisions).
 */
export function editEntry(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; change: TimeEntryChange & EntryExtras; ifMatch: number | undefined },
): Promise<EntryReply> {
  return transaction(deps.database, async (trx) => {
    const before = await lockChangeableEntry(trx, viewer, call.id, call.ifMatch);
    const { after, state, why } = await applyChange(trx, deps, {
      viewer,
      request,
      before,
      change: call.change,
    });
    if (isUnchanged(entryValues(before), after) && state.external_verifier === undefined) {
      return {
        timeEntry: await addFlags(flagContext(deps, trx), viewer, before),
        message: translate(deps, messages.updated),
      };
    }
    await changeEntry(trx, { viewer, id: call.id, state }, after, actorOf(viewer, request), {
      action: 'entry.edit',
      subject: 'time-entry',
      schoolId: after.schoolId,
      personId: before.user.id,
      before: { ...entryValues(before), ...auditedStatus(before) },
      after: { ...after, ...auditedStatusAfter(before, state), ...why },
    });
    const entry = await readEditedEntry(trx, viewer, before, after);
    return {
      timeEntry: await addFlags(flagContext(deps, trx), viewer, entry),
      message: translate(deps, messages.updated),
    };
  });
}

/** Deletes an entry; it can be restored for a while. */
export function deleteEntry(
  deps: Deps,
  { viewer, request }: Acting,
  call: { id: number; ifMatch: number | undefined; reason?: string | null | undefined },
): Promise<{ message: string }> {
  return transaction(deps.database, async (trx) => {
    const before = await lockChangeableEntry(trx, viewer, call.id, call.ifMatch);
    const terms = await findTerms(trx, before.activityId);
    const touched = { schoolId: before.schoolId, terms, dates: [before.entryDate], reason: call.reason };
    const why = rejectClosedPeriod(deps, { viewer, request }, touched);
    await markDeleted(trx, [call.id], { at: request.at, by: viewer.userId });
    const values = { ...entryValues(before), ...auditedStatus(before), ...why };
    await recordEvent(
      trx,
      actorOf(viewer, request),
      entryEvent(before, { action: 'entry.delete', before: values }),
    );
    return { message: translate(deps, messages.deleted) };
  });
}

/**
 * Undoes a deletion. The user who deleted the entry has 10 minutes, administrators have 30 days (decisions). An entry that is
 * not deleted is returned unchanged, so a repeated undo does no harm.
 */
export function restoreEntry(deps: Deps, { viewer, request }: Acting, id: number): Promise<EntryReply> {
  return transaction(deps.database, async (trx) => {
    const row = await lockEntry(trx, id);
    const scope = scopeWith(viewer, 'restore deleted');
    if (isDeleted(row)) {
      checkRestore(viewer, request.at, row, messages);
      await markDeleted(trx, [id], null);
      const entry = await requireEntry(trx, viewer, scope, id);
      await rejectRestoreIntoClosedPeriod(trx, deps, { viewer, request }, entry);
      const values = { ...entryValues(entry), ...auditedStatus(entry) };
      await recordEvent(
        trx,
        actorOf(viewer, request),
        entryEvent(entry, { action: 'entry.restore', after: values }),
      );
    }
    const restored = await addFlags(
      flagContext(deps, trx),
      viewer,
      await requireEntry(trx, viewer, scope, id),
    );
    return { timeEntry: restored, message: translate(deps, messages.restored) };
  });
}

// Volunteers can edit and restore their own entries at schools they still belong to. Users with `capability` at a school can
// do so for everyone's entries there.
function scopeWith(viewer: Viewer, capability: 'edit entries' | 'restore deleted'): EntryScope {
  const editableSchools = scopeFor(viewer, capability);
  if (editableSchools === 'all') return { schools: viewer.schools, userId: undefined };
  return { schools: viewer.schools, userId: viewer.userId, everyonesAt: editableSchools };
}

// On the volunteers' screens, district administrators see everyone's entries and all other users, including school
// staff, only their own.
async function toListedEntries(
  db: Db,
  viewer: Viewer,
  { schoolId, only }: ListQuery,
): Promise<ListedEntries> {
  const schools = await findRequestedSchools(db, viewer, schoolId);
  return {
    schools,
    userId: canEverywhere(viewer, 'run the district') ? undefined : viewer.userId,
    onlyVerifiedAt: only && (await verifyingSchools(db, schools)),
  };
}

async function requireEntry(trx: Trx, viewer: Viewer, scope: EntryScope, id: number): Promise<TimeEntry> {
  const entry = await findEntry(trx, viewer, scope, id);
  if (entry === undefined) throw errors.notFound(messages.notFound);
  return entry;
}

async function lockChangeableEntry(
  trx: Trx,
  viewer: Viewer,
  id: number,
  ifMatch: number | undefined,
): Promise<TimeEntry> {
  const entry = await findAndLockEntry(trx, viewer, scopeWith(viewer, 'edit entries'), id);
  if (entry === undefined) throw errors.notFound(messages.notFound);
  throwIfStale(ifMatch, entry);
  const locked = { ...entry, userId: entry.user.id };
  if (isLocked(viewer, locked)) throw errors.conflict(verificationMessages.locked(entry.school.name));
  return entry;
}

async function applyChange(
  trx: Trx,
  deps: Deps,
  call: { viewer: Viewer; request: Request; before: TimeEntry; change: TimeEntryChange & EntryExtras },
): Promise<{ after: EntryValues; state: StateChange; why: { reason?: string } }> {
  const { viewer, request, before, change } = call;
  const terms = await findTerms(trx, before.activityId);
  const activity = isSameActivity(before, change)
    ? { ...before.activity, schoolId: before.schoolId, terms }
    : await pickActivity(
        trx,
        viewerForMove(viewer, before),
        change.activityId ?? before.activityId,
        change.schoolId,
      );
  if (activity.id !== before.activityId) rejectInactiveActivity(activity);
  const entryDate =
    change.entryDate === undefined ? undefined : resolveEntryDate(deps, request, change.entryDate);
  const { id: activityId, schoolId } = activity;
  const target = { activityId, schoolId };
  const after = changedFields(ENTRY_FIELDS, entryValues(before), { ...change, ...target, entryDate });
  rejectMissingNotes(deps, activity, after.notes);
  const { reason } = change;
  const [left, entered] = [before.entryDate, after.entryDate];
  const why = {
    ...rejectClosedPeriod(
      deps,
      { viewer, request },
      { schoolId: before.schoolId, terms, dates: [left, entered], reason },
    ),
    ...rejectClosedPeriod(
      deps,
      { viewer, request },
      { schoolId, terms: activity.terms, dates: [entered], reason },
    ),
  };
  return { after, state: await stateAfter(trx, call, after, activity.terms), why };
}

async function stateAfter(
  trx: Trx,
  {
    viewer,
    request,
    before,
    change,
  }: { viewer: Viewer; request: Request; before: TimeEntry; change: EntryExtras },
  after: EntryValues,
  terms: Terms,
): Promise<StateChange> {
  const { at } = request;
  const isMoved = after.activityId !== before.activityId;
  if (!isMoved && change.outsideVerifier === undefined) {
    return stateAfterEdit(before, after.hours, { by: viewer.userId, at });
  }
  const userId = before.user.id;
  const outsideVerifier = await findExternalVerifier(
    trx,
    viewer,
    { ...after, userId, terms },
    change.outsideVerifier,
  );
  if (isMoved) {
    const isTrusted = (await trustCheck(trx, terms, after.schoolId, [userId]))(userId);
    return stateAfterMove(terms, after.hours, { at, outsideVerifier, isTrusted });
  }
  return {
    ...stateAfterEdit(before, after.hours, { by: viewer.userId, at }),
    external_verifier: outsideVerifier,
  };
}

async function rejectRestoreIntoClosedPeriod(
  trx: Trx,
  deps: Deps,
  acting: Acting,
  entry: TimeEntry,
): Promise<void> {
  // Users who may edit everyone's hours may also restore them in a closed period. The audit log records who deleted and who
  // restored them.
  if (canAt(acting.viewer, 'edit entries', entry.schoolId)) return;
  const terms = await findTerms(trx, entry.activityId);
  rejectClosedPeriod(deps, acting, { schoolId: entry.schoolId, terms, dates: [entry.entryDate] });
}

// Someone else's hours can only move to schools where the viewer may edit everyone's.
function viewerForMove(viewer: Viewer, before: TimeEntry): Viewer {
  return before.user.id === viewer.userId ? viewer : { ...viewer, schools: scopeFor(viewer, 'edit entries') };
}

function isSameActivity(before: TimeEntry, { activityId, schoolId }: TimeEntryChange): boolean {
  return (
    (activityId ?? before.activityId) === before.activityId &&
    (schoolId ?? before.schoolId) === before.schoolId
  );
}

// Reloads the entry only if its activity changed or its school verifies hours.
async function readEditedEntry(
  trx: Trx,
  viewer: Viewer,
  before: TimeEntry,
  { userId: _, ...after }: EntryValues,
): Promise<TimeEntry> {
  if (after.activityId !== before.activityId || before.verification !== null) {
    return requireEntry(trx, viewer, scopeWith(viewer, 'edit entries'), before.id);
  }
  return { ...before, ...after, version: before.version + 1 };
}

function loggedMessage(deps: Deps, request: Request, entry: TimeEntry): string {
  const hours = formatHours(entry.hours, deps.translator.language);
  const { name } = entry.activity;
  if (entry.entryDate === today(deps, request)) return translate(deps, messages.loggedToday(hours, name));
  return translate(
    deps,
    messages.loggedOn(hours, name, formatDay(entry.entryDate, deps.translator.language)),
  );
}
