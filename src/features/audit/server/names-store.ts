import type { Db } from '#server/db/database.ts';
import { containsWords } from '#server/db/queries/text-search.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';

/** The tables whose rows have a name of their own, by what the record calls them. */
const NAMED = {
  school: 'schools',
  category: 'categories',
  activity: 'activities',
  suggestion: 'activity_suggestions',
} as const;

/** The tables that can be searched by name. */
const SEARCHED = ['school', 'category', 'activity'] as const;

/** The columns in which they are searched: the first name, and those in other languages. */
export const NAME_KEYS = ['name_key', 'translated_key'] as const;

/** Something found by its name, as the record calls it. */
export type Found = Readonly<{ subject: string; id: number }>;

/** People, schools, categories and activities whose names contain all words of a search: at most `limit` of each. */
export async function findByName(db: Db, search: string, limit: number): Promise<Found[]> {
  const people = await db
    .selectFrom('users')
    .select('id')
    .where(containsWords('search_key', search))
    .limit(limit)
    .execute();
  const things = await Promise.all(
    SEARCHED.map(async (subject) => {
      const rows = await db
        .selectFrom(NAMED[subject])
        .select('id')
        .where(containsWords(NAME_KEYS, search))
        .limit(limit)
        .execute();
      return rows.map(({ id }) => ({ subject, id }));
    }),
  );
  return [...people.map(({ id }) => ({ subject: 'user', id })), ...things.flat()];
}

/** People by id, as they are called today. */
export async function userNamesById(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'first_name', 'last_name'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, `${row.first_name} ${row.last_name}`]));
}

/** Schools, categories, activities or suggestions by id, as they are called today. */
export async function subjectNamesById(
  db: Db,
  subject: keyof typeof NAMED,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom(NAMED[subject]).select(['id', 'name']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row.name]));
}

/** The activity that an entry or photo belongs to, and the entry's day. */
export type Place = Readonly<{ activityId: number; day: CalendarDate | null }>;

/** The activity and day of time entries. */
export async function activityAndDayOfEntries(db: Db, ids: readonly number[]): Promise<Map<number, Place>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('time_entries')
    .select(['id', 'activity_id', 'entry_date'])
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map((row) => [row.id, { activityId: row.activity_id, day: row.entry_date }]));
}

/** The activity of photos. */
export async function activityOfPhotos(db: Db, ids: readonly number[]): Promise<Map<number, Place>> {
  if (ids.length === 0) return new Map();
  const rows = await db.selectFrom('photos').select(['id', 'activity_id']).where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, { activityId: row.activity_id, day: null }]));
}
