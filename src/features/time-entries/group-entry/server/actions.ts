import {
  addGuestVolunteers,
  removeGuestVolunteers,
} from '#features/users/guest-volunteers/server/actions.ts';
import { recordEvents } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { formatDay } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { insertEntriesWithAudit } from '../../admin-list/server/actions.ts';
import { type EntryExtras, messages as entryMessages, type TimeEntry } from '../../contract.ts';
import {
  entryEvent,
  entryValues,
  findActivityForNewEntry,
  newEntryValues,
  rejectClosedPeriod,
  resolveEntryDate,
} from '../../server/entry-rules.ts';
import { markDeleted } from '../../server/store.ts';
import {
  lockUnchangedEntries,
  readUndoBatch,
  sealUndoBatch,
  type UndoBatch,
} from '../../server/undo-batch.ts';
import { findVolunteers, type Person } from '../../server/volunteers-store.ts';
import { GROUP_ENTRY, type GroupEntryInput, messages } from '../contract.ts';

const PURPOSE = 'roster';

/** An undo batch with the guest volunteers that the group entry created. */
type Batch = UndoBatch & Readonly<{ walkIns: readonly number[] }>;

type Rows = GroupEntryInput['entries'];

/**
 * Logs hours of many volunteers for one activity on one day: all of them or, when anything is wrong, none. People
 * without an account become guest volunteers of the activity's school.
 */
export async function logGroupEntry(
  trx: Trx,
  deps: Deps,
  { viewer, request, input }: { viewer: Viewer; request: Request; input: GroupEntryInput & EntryExtras },
): Promise<{ timeEntries: TimeEntry[]; batch: string; message: string }> {
  const { entries: rows, reason, outsideVerifier: _, ...shared } = input;
  const activity = await findActivityForNewEntry(trx, viewer, input);
  const { terms, schoolId } = activity;
  await rejectInvalidRows(trx, schoolId, rows);
  const newcomers = rows.flatMap(({ walkIn }) => walkIn ?? []);
  const walkIns = await addGuestVolunteers(trx, { viewer, request }, schoolId, newcomers);
  const left = [...walkIns];
  const people = rows.map(({ userId, hours }) => ({ userId: userId ?? left.shift() ?? 0, hours }));
  const entries = people.map((row) => newEntryValues(deps, request, { ...shared, ...row }, activity));
  const dates = entries.map(({ entryDate }) => entryDate);
  const why = rejectClosedPeriod(deps, { viewer, request }, { schoolId, terms, dates, reason });
  const logged = entries.map((entry) => ({ ...entry, at: request.at }));
  const timeEntries = await insertEntriesWithAudit(trx, { viewer, request }, logged, { deps, terms, why });
  const hours = formatHours(sumHours(rows.map((row) => row.hours)), deps.translator.language);
  const date = formatDay(resolveEntryDate(deps, request, shared.entryDate ?? null), deps.translator.language);
  const message = translate(deps, messages.logged(rows.length, hours, activity.name, date));
  const { undoMinutes } = GROUP_ENTRY;
  const done = { by: viewer.userId, schoolId, timeEntries, at: request.at, undoMinutes };
  const batch = sealUndoBatch(deps, PURPOSE, done, { walkIns });
  return { timeEntries, batch, message };
}

/**
 * Undoes a group entry. Deletes its entries that have not changed since, and its guest volunteers who have no other
 * entries. 404 if the batch is not the viewer's, 409 when nothing is left or the time is up.
 */
export function undoGroupEntry(
  deps: Deps,
  { viewer, request }: Acting,
  given: string,
): Promise<{ deleted: number; message: string }> {
  const batch = readUndoBatch<Batch>(deps, viewer, PURPOSE, given);
  if (batch.until < request.at) throw errors.conflict(messages.tooLateToUndo);
  return transaction(deps.database, async (trx) => {
    const entries = await lockUnchangedEntries(trx, viewer, batch);
    if (entries.length === 0) throw errors.conflict(messages.undoneBefore);
    const ids = entries.map(({ id }) => id);
    await markDeleted(trx, ids, { at: request.at, by: viewer.userId });
    const auditEvents = entries.map((entry) =>
      entryEvent(entry, { action: 'entry.delete', before: entryValues(entry) }),
    );
    await recordEvents(trx, actorOf(viewer, request), auditEvents);
    await removeGuestVolunteers(trx, { viewer, request }, batch.walkIns);
    const kept = batch.entries.length - ids.length;
    const message = kept === 0 ? messages.undone(ids.length) : messages.undonePartly(ids.length, kept);
    return { deleted: ids.length, message: translate(deps, message) };
  });
}

async function rejectInvalidRows(trx: Trx, schoolId: number, rows: Rows): Promise<void> {
  const userIds = rows.flatMap(({ userId }) => userId ?? []);
  const people = userIds.length === 0 ? new Map() : await findVolunteers(trx, schoolId, userIds);
  const fields: Record<string, Message> = {};
  const seen = new Set<number>();
  for (const [index, { userId }] of rows.entries()) {
    if (userId === undefined) continue;
    const problem = seen.has(userId) ? messages.twice : findProblem(people.get(userId));
    if (problem !== undefined) fields[`entries.${index}.userId`] = problem;
    seen.add(userId);
  }
  const [first] = Object.values(fields);
  if (first !== undefined) throw errors.invalid(first, fields);
}

function findProblem(person: Person | undefined): Message | undefined {
  if (person === undefined) return entryMessages.userNotFound;
  return person.isMember ? undefined : entryMessages.notAMember(person.name, person.schoolName);
}
