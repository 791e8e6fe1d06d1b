import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import type { Row } from '#server/db/tables.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { CalendarDate, Instant } from '#shared/calendar-date.ts';

/** The tables whose rows have names, by the audit log's subject. */
const SUBJECT_TABLES = {
  school: 'schools',
  category: 'categories',
  activity: 'activities',
  suggestion: 'activity_suggestions',
} as const;

/** The tables that can be searched by name. */
const SEARCHABLE = ['school', 'category', 'activity'] as const;

/** The searched columns: the name in the first language, and its translations. */
export const NAME_KEYS = ['name_key', 'translated_key'] as const;

/** A search hit, as the audit log refers to it. */
export type Found = Readonly<{ subject: string; id: number }>;

/** Finds people, schools, categories and activities whose names contain all words of a search: at most `limit` of each. */
export async function findSubjectsByName(db: Db, search: string, limit: number): Promise<Found[]> {
  const people = await db
    .selectFrom('users')
    .select('id')
    .where(containsWords('search_key', search))
    .limit(limit)
    .execute();
  const things = await Promise.all(
    SEARCHABLE.map(async (subject) => {
      const rows = await db
        .selectFrom(SUBJECT_TABLES[subject])
        .select('id')
        .where(containsWords(NAME_KEYS, search))
        .limit(limit)
        .execute();
      return rows.map(({ id }) => ({ subject, id }));
    }),
  );
  return [...people.map(({ id }) => ({ subject: 'user', id })), ...things.flat()];
}

/** Returns people by id with their current names. */
export async function findUserNames(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`]));
}

/** Returns schools, categories, activities or suggestions by id with their current names. */
export async function findSubjectNames(
  db: Db,
  subject: keyof typeof SUBJECT_TABLES,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom(SUBJECT_TABLES[subject])
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The activity that an entry or photo belongs to, and the entry's day. */
export type ActivityAndDay = Readonly<{ activityId: number; day: CalendarDate | null }>;

/** Returns the activity and day of these time entries. */
export async function findActivityAndDayOfEntries(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ActivityAndDay>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('time_entries')
    .select(['id', 'activity_id', 'entry_date'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, { activityId: row.activity_id, day: row.entry_date }]));
}

/** Returns the activity of these photos. */
export async function findActivityOfPhotos(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, ActivityAndDay>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('photos').select(['id', 'activity_id']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, { activityId: row.activity_id, day: null }]));
}

/** The filters of audit events, all of them optional. An event must match at least one trail of each list. */
export type AuditFilter = Readonly<{
  /** Only events at these schools; undefined includes events at no school. */
  schools: SchoolScope | undefined;
  from: Instant | undefined;
  before: Instant | undefined;
  actions: readonly string[] | undefined;
  trails: readonly (readonly Trail[])[];
}>;

/**
 * A set of events. Found through one index: the events by a user, on a user, of an item, or of the entries of some activities.
 * Found by scanning the log: the events about users and items whose names match a search, if there are many.
 */
export type Trail =
  | Readonly<{ actorId: number }>
  | Readonly<{ personId: number }>
  | Readonly<{ subject: string; subjectId: number }>
  | Readonly<{ entriesOf: readonly number[] }>
  | Readonly<{ words: string }>;

/**
 * Returns a page of the audit log, latest first, with one row more than the limit to detect a next page. For each trail, and
 * for each of a few rare actions, an index returns the rows in order, so at most a page of each is read. Without trails every
 * row matches.
 */
export async function readPageOfEvents(
  db: Db,
  filter: AuditFilter,
  page: Page,
): Promise<Row<'audit_events'>[]> {
  const found = await Promise.all(
    listConditions(filter).map((condition) => findLatest(db, filter, condition, page)),
  );
  const rows = new Map(found.flat().map((row) => [row.id, row]));
  return [...rows.values()].toSorted(latestFirst).slice(0, page.limit + 1);
}

/** Returns the last deletion events of these items, which have their names. */
export async function findDeletionEvents(
  db: Db,
  things: readonly { subject: string; id: number }[],
): Promise<Row<'audit_events'>[]> {
  const rows = await Promise.all(
    things.map(({ subject, id }) =>
      db
        .selectFrom('audit_events')
        .selectAll()
        .where('subject', '=', subject)
        .where('subject_id', '=', id)
        .where((eb) => eb.or([eb('action', 'like', '%.delete'), eb('action', 'like', '%.remove')]))
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst(),
    ),
  );
  return rows.filter((row) => row !== undefined);
}

/** Returns the latest events of an action other than 'entry.log'. */
export function findLatestByAction(db: Db, action: string, limit: number): Promise<Row<'audit_events'>[]> {
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where(isRare)
    .where('action', '=', action)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

// The index on actions is partial; the query must repeat its condition, or the engine does not use it.
const COMMON = 'entry.log';
const isRare = sql<boolean>`action <> 'entry.log'`;

// An index finds the rows of each trail in the first list; the other conditions only filter them.
function listConditions({ actions, trails: [leading, ...others] }: AuditFilter): RawBuilder<boolean>[] {
  const otherConditions = others.map((trails) => anyOf(trails.map(matchesTrail)));
  if (leading !== undefined) {
    const among = actions === undefined ? [] : [anyOf(actions.map(hasAction))];
    return leading.map((trail) => allOf([matchesTrail(trail), ...among, ...otherConditions]));
  }
  if (actions === undefined) return [allOf([])];
  // Common actions are found quickly by scanning the log backwards.
  if (actions.includes(COMMON)) return [anyOf(actions.map(hasAction))];
  return actions.map((action) => allOf([isRare, hasAction(action)]));
}

const hasAction = (action: string) => sql<boolean>`action = ${action}`;

function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`1 = 1` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

function matchesTrail(trail: Trail): RawBuilder<boolean> {
  if ('actorId' in trail) return sql<boolean>`actor_id = ${trail.actorId}`;
  if ('personId' in trail) return sql<boolean>`person_id = ${trail.personId}`;
  if ('subject' in trail) return sql<boolean>`subject = ${trail.subject} and subject_id = ${trail.subjectId}`;
  if ('entriesOf' in trail) {
    return sql<boolean>`subject = 'time-entry' and subject_id in (
      select id from time_entries where activity_id in (${sql.join(trail.entriesOf)}))`;
  }
  const people = sql`(select id from users where ${containsWords('search_key', trail.words)})`;
  const named = (subject: string, table: string) =>
    sql`(subject = ${subject} and subject_id + 0 in (
      select id from ${sql.table(table)} where ${containsWords(NAME_KEYS, trail.words)}))`;
  // Written as sums, so that the engine does not use an index on the column and sort the result.
  return sql<boolean>`(actor_id + 0 in ${people} or person_id + 0 in ${people} or ${named('school', 'schools')}
    or ${named('category', 'categories')} or ${named('activity', 'activities')}
    or (subject = 'time-entry' and exists (select 1 from time_entries as entry
      join activities on activities.id = entry.activity_id
      where entry.id = audit_events.subject_id and ${containsWords(NAME_KEYS, trail.words)})))`;
}

function findLatest(
  db: Db,
  { schools, from, before }: AuditFilter,
  where: RawBuilder<boolean>,
  page: Page,
): Promise<Row<'audit_events'>[]> {
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where(where)
    .where(schools === undefined ? sql<boolean>`1 = 1` : atSchools(schools))
    .$if(from !== undefined, (query) => query.where('at', '>=', from as Instant))
    .$if(before !== undefined, (query) => query.where('at', '<', before as Instant))
    .$if(page.after !== undefined, (query) => {
      const [at, id] = page.after ?? [];
      return query.where(sql<boolean>`(at, id) < (${at}, ${id})`);
    })
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(page.limit + 1)
    .execute();
}

function atSchools(schools: SchoolScope): RawBuilder<boolean> {
  return sql<boolean>`school_id is not null and ${inSchools('school_id', schools)}`;
}

function latestFirst(a: Row<'audit_events'>, b: Row<'audit_events'>): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1;
  return b.id - a.id;
}

/** Returns up to `limit` events by or about a person, ordered by id. */
export function listEventsOf(
  db: Db,
  userId: number,
  { last, limit }: { last: { id: number } | undefined; limit: number },
): Promise<Row<'audit_events'>[]> {
  return db
    .selectFrom('audit_events')
    .selectAll()
    .where((eb) => eb.or([eb('actor_id', '=', userId), eb('person_id', '=', userId)]))
    .where('id', '>', last?.id ?? 0)
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Returns the audited values of all invitations. */
export function findInviteValues(db: Db) {
  return db
    .selectFrom('audit_events')
    .select(['subject_id', 'before', 'after'])
    .where('subject', '=', 'invite')
    .execute();
}

/** Returns the audited values of deleted accounts. */
export function findDeletedAccountValues(db: Db) {
  return db
    .selectFrom('audit_events')
    .select(['subject_id', 'before', 'after'])
    .where(isRare)
    .where('action', '=', 'account.delete')
    .where('before', 'is not', null)
    .execute();
}
