import { sql } from 'kysely';
import type { Db } from '#server/db/database.ts';
import { countedHundredths, type VerifyingSchools } from '#server/db/queries/verification-state.ts';
import { type EntryFilter, matchesFilter } from '../../admin-list/server/filter-store.ts';

/** A volunteer's address, null without one, and the schools they belong to. */
export type Contact = Readonly<{ email: string | null; schools: ReadonlySet<number> }>;

/** A volunteer's total at one school, in hundredths of an hour; `counted` is the verified part. */
export type PersonTotal = Readonly<{
  user_id: number;
  first_name: string;
  last_name: string;
  school_id: number;
  school_name: string;
  entries: number;
  hundredths: number;
  counted: number;
}>;

/** The last person of a page of totals. */
type LastPerson = readonly [sortKey: string, id: number];

const PAGE_PEOPLE = 500;

/**
 * The addresses and schools of these users. Guest volunteers have the address from the sign-in sheet, deleted
 * accounts none. Pending requests to join a school do not count.
 */
export async function findContacts(db: Db, ids: readonly number[]): Promise<Map<number, Contact>> {
  if (ids.length === 0) return new Map();
  const people = await db
    .selectFrom('users')
    .select(['id', 'email', 'contact_email', 'is_walk_in', 'erased_at'])
    .where('id', 'in', ids)
    .execute();
  const joined = await db
    .selectFrom('user_schools')
    .select(['user_id', 'school_id'])
    .where('user_id', 'in', ids)
    .where('status', '=', 'active')
    .execute();
  const schools = Map.groupBy(joined, (one) => one.user_id);
  return new Map(
    people.map((one) => [
      one.id,
      {
        email: one.erased_at !== null ? null : one.is_walk_in === 1 ? one.contact_email : one.email,
        schools: new Set(schools.get(one.id)?.map((own) => own.school_id)),
      },
    ]),
  );
}

/**
 * A page of the volunteers with matching entries, by name, with their totals at each school; `last` is undefined at
 * the end.
 */
export async function readTotalsPage(
  db: Db,
  filter: EntryFilter & { verifying: VerifyingSchools },
  after: LastPerson | undefined,
): Promise<{ rows: readonly PersonTotal[]; last: LastPerson | undefined }> {
  const matches = matchesFilter(db, filter, 'user');
  const people = await db
    .selectFrom('users')
    .select(['id', 'sort_key'])
    .$if(after !== undefined, (query) =>
      query.where(sql<boolean>`(users.sort_key, users.id) > (${after?.[0]}, ${after?.[1]})`),
    )
    .where(
      sql<boolean>`exists (select 1 from time_entries where time_entries.user_id = users.id and ${matches})`,
    )
    .orderBy('sort_key')
    .orderBy('id')
    .limit(PAGE_PEOPLE)
    .execute();
  const last = people.at(-1);
  if (last === undefined) return { rows: [], last: undefined };
  const { rows } = await sql<PersonTotal>`select users.id as user_id, users.first_name, users.last_name,
      schools.id as school_id, schools.name as school_name, totals.entries, totals.hundredths, totals.counted
    from (select user_id, school_id, count(*) as entries, sum(hours_hundredths) as hundredths,
        sum(${countedHundredths(filter.verifying, 'time_entries')}) as counted
      from time_entries where user_id in (${sql.join(people.map(({ id }) => id))}) and ${matches}
      group by user_id, school_id) as totals
    join users on users.id = totals.user_id
    join schools on schools.id = totals.school_id
    order by users.sort_key, users.id, schools.name_key`.execute(db);
  return { rows, last: [last.sort_key, last.id] };
}
