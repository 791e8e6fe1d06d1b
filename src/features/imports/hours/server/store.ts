import { sql } from 'kysely';
import { collect } from '#server/db/chunks.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { inSchools } from '#server/db/queries/conditions.ts';
import { beforeId, type Page } from '#server/db/queries/pagination.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import { isUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { translatedNames } from '#shared/content-translations.ts';
import { fromHundredths } from '#shared/hours.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import type { TimeEntryImport } from '../contract.ts';

/** A member of the school. */
export type Member = Readonly<{
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  emailKey: string;
}>;

/** An activity of the school. */
export type KnownActivity = Readonly<{
  id: number;
  name: string;
  category: string;
  /** The activity's names in all languages, folded for comparison. */
  keys: readonly string[];
  requiresDescription: boolean;
  descriptionPrompt: string | null;
}>;

/** An entry to be created, as stored in a chunk. */
export type PlannedEntry = readonly [
  userId: number,
  activityId: number,
  entryDate: CalendarDate,
  hours: number,
  notes: string | null,
];

/** All members of a school, including those with a deactivated account. */
export async function listMembers(db: Db, schoolId: number): Promise<Member[]> {
  return db
    .selectFrom('user_schools')
    .innerJoin('users', 'users.id', 'user_schools.user_id')
    .select(['users.id', 'users.first_name as firstName', 'users.last_name as lastName'])
    .select(['users.email', 'users.email_key as emailKey'])
    .where('user_schools.school_id', '=', schoolId)
    .where('user_schools.status', '=', 'active')
    .orderBy('users.sort_key')
    .orderBy('users.id')
    .execute();
}

/** Every activity of a school, inactive ones included. */
export async function listActivities(db: Db, schoolId: number): Promise<KnownActivity[]> {
  const rows = await db
    .selectFrom('activities')
    .innerJoin('categories', 'categories.id', 'activities.category_id')
    .select(['activities.id', 'activities.name', 'activities.translated_key', 'categories.name as category'])
    .select(['activities.requires_description', 'activities.description_prompt as descriptionPrompt'])
    .where('activities.school_id', '=', schoolId)
    .orderBy('activities.name_key')
    .orderBy('activities.id')
    .execute();
  return rows.map(({ requires_description, translated_key, ...row }) => ({
    ...row,
    keys: [foldForSearch(row.name), ...translatedNames(translated_key)],
    requiresDescription: requires_description === 1,
  }));
}

/** The entries of these people at a school in a range of days that are not deleted. */
export async function findEntriesAmong(
  db: Db,
  schoolId: number,
  userIds: readonly number[],
  days: { first: CalendarDate; last: CalendarDate },
) {
  return collect(userIds, (some) =>
    db
      .selectFrom('time_entries')
      .select(['user_id', 'activity_id', 'entry_date', 'hours_hundredths'])
      .where('user_id', 'in', some)
      .where('school_id', '=', schoolId)
      .where('entry_date', '>=', days.first)
      .where('entry_date', '<=', days.last)
      .where('deleted_at', 'is', null)
      .execute(),
  );
}

/** The id of the school's latest import in any state, and whether one is running there. */
export async function findLatestImport(
  db: Db,
  schoolId: number,
): Promise<{ id: number; isRunning: boolean }> {
  const row = await db
    .selectFrom('time_entry_imports')
    .select('id')
    .where('school_id', '=', schoolId)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const busy = await db
    .selectFrom('time_entry_imports')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('state', 'in', ['running', 'undoing'])
    .executeTakeFirst();
  return { id: row?.id ?? 0, isRunning: busy !== undefined };
}

/** Stores an import that is about to run; a unique violation means that another import of the school is running. */
export async function insertImport(
  trx: Trx,
  made: {
    schoolId: number;
    by: number;
    at: Instant;
    countsAtOnce: boolean;
    reason: string | null;
    planned: number;
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('time_entry_imports')
    .values({
      school_id: made.schoolId,
      imported_by: made.by,
      imported_at: made.at,
      state: 'running',
      counts_immediately: made.countsAtOnce ? 1 : 0,
      reason: made.reason,
      planned: made.planned,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Stores the planned entries of an import, in chunks of a given size. */
export async function insertChunks(
  trx: Trx,
  importId: number,
  entries: readonly PlannedEntry[],
  chunkSize: number,
): Promise<void> {
  for (let at = 0; at < entries.length; at += chunkSize) {
    const piece = { import_id: importId, piece: at / chunkSize };
    const text = JSON.stringify(entries.slice(at, at + chunkSize));
    await trx
      .insertInto('time_entry_import_chunks')
      .values({ ...piece, entries: text })
      .execute();
  }
}

/** Locks an import's row until the transaction ends, and returns it. */
export function lockImport(trx: Trx, id: number) {
  return forUpdate(
    trx,
    trx.selectFrom('time_entry_imports').selectAll().where('id', '=', id),
  ).executeTakeFirst();
}

/** Running imports and undos, oldest first. */
export function findActiveImports(db: Db): Promise<readonly { id: number }[]> {
  return db
    .selectFrom('time_entry_imports')
    .select('id')
    .where('state', 'in', ['running', 'undoing'])
    .orderBy('id')
    .execute();
}

/** Removes and returns the next chunk of an import; undefined when none is left. */
export async function claimChunk(trx: Trx, importId: number): Promise<PlannedEntry[] | undefined> {
  const next = await trx
    .selectFrom('time_entry_import_chunks')
    .select(['piece', 'entries'])
    .where('import_id', '=', importId)
    .orderBy('piece')
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return undefined;
  await trx
    .deleteFrom('time_entry_import_chunks')
    .where('import_id', '=', importId)
    .where('piece', '=', next.piece)
    .execute();
  return JSON.parse(next.entries);
}

export async function deleteChunks(trx: Trx, importId: number): Promise<void> {
  await trx.deleteFrom('time_entry_import_chunks').where('import_id', '=', importId).execute();
}

/** Returns which of these people are still members of a school, and which of these activities still exist there. */
export async function findStillExisting(
  trx: Trx,
  schoolId: number,
  wanted: { userIds: readonly number[]; activityIds: readonly number[] },
): Promise<{ people: ReadonlySet<number>; activities: ReadonlySet<number> }> {
  const people = await trx
    .selectFrom('user_schools')
    .select('user_id')
    .where('school_id', '=', schoolId)
    .where('status', '=', 'active')
    .where('user_id', 'in', wanted.userIds)
    .execute();
  const activities = await trx
    .selectFrom('activities')
    .select('id')
    .where('school_id', '=', schoolId)
    .where('id', 'in', wanted.activityIds)
    .execute();
  return {
    people: new Set(people.map((row) => row.user_id)),
    activities: new Set(activities.map((row) => row.id)),
  };
}

/** Saves which entries an import has created. */
export async function insertCreatedEntries(
  trx: Trx,
  importId: number,
  entryIds: readonly number[],
): Promise<void> {
  if (entryIds.length === 0) return;
  await trx
    .insertInto('time_entry_import_entries')
    .values(entryIds.map((id) => ({ import_id: importId, entry_id: id, is_kept: 0 as const })))
    .execute();
}

/** Adds to the counters of an import. */
export async function addProgress(
  trx: Trx,
  id: number,
  done: { made?: number; hundredths?: number; leftOut?: number; undone?: number },
): Promise<void> {
  await trx
    .updateTable('time_entry_imports')
    .set((eb) => ({
      made: eb('made', '+', done.made ?? 0),
      made_hundredths: eb('made_hundredths', '+', done.hundredths ?? 0),
      left_out: eb('left_out', '+', done.leftOut ?? 0),
      undone: eb('undone', '+', done.undone ?? 0),
    }))
    .where('id', '=', id)
    .execute();
}

export async function setImportState(
  trx: Trx,
  id: number,
  state: TimeEntryImport['state'],
  undo: { at: Instant; by: number; reason: string | null } | undefined = undefined,
): Promise<void> {
  await trx
    .updateTable('time_entry_imports')
    .set({
      state,
      ...(undo === undefined ? {} : { undone_at: undo.at, undone_by: undo.by, reason: undo.reason }),
    })
    .where('id', '=', id)
    .execute();
}

/** The next entries of an import that its undo has not processed yet. */
export async function listEntriesToUndo(trx: Trx, importId: number, limit: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('time_entry_import_entries')
    .select('entry_id')
    .where('import_id', '=', importId)
    .where('is_kept', '=', 0)
    .orderBy('entry_id')
    .limit(limit)
    .execute();
  return rows.map((row) => row.entry_id);
}

/** Deletes an import's rows for entries that its undo removed, and marks the rows for entries that it kept. */
export async function settleUndoneEntries(
  trx: Trx,
  importId: number,
  { removed, kept }: { removed: readonly number[]; kept: readonly number[] },
): Promise<void> {
  const of = (ids: readonly number[]) =>
    sql<boolean>`import_id = ${importId} and entry_id in (${sql.join([...ids])})`;
  if (removed.length > 0) await trx.deleteFrom('time_entry_import_entries').where(of(removed)).execute();
  if (kept.length > 0) {
    await trx.updateTable('time_entry_import_entries').set({ is_kept: 1 }).where(of(kept)).execute();
  }
}

/** The first day of an import's entries that are not deleted; undefined when there are none. */
export async function findFirstDay(trx: Trx, importId: number): Promise<CalendarDate | undefined> {
  const row = await trx
    .selectFrom('time_entry_import_entries as made')
    .innerJoin('time_entries', 'time_entries.id', 'made.entry_id')
    .select('time_entries.entry_date')
    .where('made.import_id', '=', importId)
    .where('time_entries.deleted_at', 'is', null)
    .orderBy('time_entries.entry_date')
    .limit(1)
    .executeTakeFirst();
  return row?.entry_date;
}

/** The first entries that an undo did not remove, with their details, and the number of all of them. */
export async function findEntriesKeptByUndo(db: Db, importId: number, limit: number) {
  const kept = db
    .selectFrom('time_entry_import_entries as made')
    .innerJoin('time_entries', 'time_entries.id', 'made.entry_id')
    .where('made.import_id', '=', importId)
    .where('made.is_kept', '=', 1);
  const rows = await kept
    .innerJoin('users', 'users.id', 'time_entries.user_id')
    .innerJoin('activities', 'activities.id', 'time_entries.activity_id')
    .select(['users.id', 'users.first_name', 'users.last_name', 'activities.name as activity'])
    .select(['time_entries.entry_date', 'time_entries.hours_hundredths', 'time_entries.version'])
    .orderBy('made.entry_id')
    .limit(limit)
    .execute();
  const { count } = await kept
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return { rows, count };
}

const IMPORT_COLUMNS = [
  'time_entry_imports.id',
  'time_entry_imports.school_id',
  'schools.name as school_name',
  'time_entry_imports.imported_by',
  'time_entry_imports.imported_at as importedAt',
  'time_entry_imports.state',
  'time_entry_imports.planned',
  'time_entry_imports.made',
  'time_entry_imports.made_hundredths',
  'time_entry_imports.left_out as leftOut',
  'time_entry_imports.undone',
  'time_entry_imports.undone_at as undoneAt',
  'users.first_name',
  'users.last_name',
] as const;

function selectImports(db: Db, schools: SchoolScope) {
  return (
    db
      .selectFrom('time_entry_imports')
      // A left join although the school always exists, so that the query follows the order of imports.
      .leftJoin('schools', 'schools.id', 'time_entry_imports.school_id')
      .leftJoin('users', 'users.id', 'time_entry_imports.imported_by')
      .select(IMPORT_COLUMNS)
      .where(inSchools('time_entry_imports.school_id', schools))
  );
}

/** A page of imports at these schools, latest first; one more than the page's limit. */
export async function pageOfImports(
  db: Db,
  schools: SchoolScope,
  page: Page,
  undoableSince: Instant,
): Promise<TimeEntryImport[]> {
  const rows = await selectImports(db, schools)
    .where(beforeId('time_entry_imports', page))
    .orderBy('time_entry_imports.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return rows.map((row) => toImport(row, undoableSince));
}

/** An import at one of these schools, or undefined. */
export async function findImport(
  db: Db,
  schools: SchoolScope,
  id: number,
  undoableSince: Instant,
): Promise<TimeEntryImport | undefined> {
  const row = await selectImports(db, schools).where('time_entry_imports.id', '=', id).executeTakeFirst();
  return row === undefined ? undefined : toImport(row, undoableSince);
}

type ImportRow = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

function toImport(
  { school_id, school_name, imported_by, first_name, last_name, made_hundredths, ...row }: ImportRow,
  undoableSince: Instant,
): TimeEntryImport {
  const isPast = row.state === 'undoing' || row.state === 'undone';
  return {
    ...row,
    school: { id: school_id, name: school_name ?? '' },
    importedBy: toPersonRef(imported_by, first_name, last_name),
    hours: fromHundredths(made_hundredths),
    canUndo: !isPast && row.importedAt >= undoableSince,
  };
}

/** Whether a legal hold covers a person whose hours the import created. */
export const isImportUnderLegalHold = sql<boolean>`exists (select 1 from time_entry_import_entries as made
  join time_entries on time_entries.id = made.entry_id
  where made.import_id = time_entry_imports.id and ${isUnderLegalHold({ people: ['time_entries.user_id'] })})`;

/** The stored imports that created entries of a user, and the number of these entries. */
export async function findImportsWithPerson(db: Db, userId: number) {
  // A left join, so that the query starts from the user's entries and not from the imports.
  const rows = await db
    .selectFrom('time_entries')
    .leftJoin('time_entry_import_entries as made', 'made.entry_id', 'time_entries.id')
    .select('made.import_id as id')
    .select(({ fn }) => fn.countAll<number>().as('entries'))
    .where('time_entries.user_id', '=', userId)
    .groupBy('made.import_id')
    .execute();
  const counts = new Map(rows.flatMap(({ id, entries }) => (id === null ? [] : [[id, entries] as const])));
  if (counts.size === 0) return [];
  const imports = await db
    .selectFrom('time_entry_imports')
    .leftJoin('schools', 'schools.id', 'time_entry_imports.school_id')
    .select([
      'time_entry_imports.id',
      'time_entry_imports.imported_at as importedAt',
      'schools.name as school',
    ])
    .where('time_entry_imports.id', 'in', [...counts.keys()])
    .orderBy('time_entry_imports.id')
    .execute();
  return imports.map(({ id, ...one }) => ({ ...one, entries: counts.get(id) ?? 0 }));
}

/** Removes a user's hours from the planned entries of all running imports. */
export async function deletePlannedEntries(trx: Trx, userId: number): Promise<void> {
  const chunks = await forUpdate(trx, trx.selectFrom('time_entry_import_chunks').selectAll()).execute();
  for (const { import_id, piece, entries } of chunks) {
    const all: PlannedEntry[] = JSON.parse(entries);
    const others = all.filter(([id]) => id !== userId);
    if (others.length === all.length) continue;
    await trx
      .updateTable('time_entry_import_chunks')
      .set({ entries: JSON.stringify(others) })
      .where('import_id', '=', import_id)
      .where('piece', '=', piece)
      .execute();
    await addProgress(trx, import_id, { leftOut: all.length - others.length });
  }
}
