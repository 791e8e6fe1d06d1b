import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import type { Page } from '#server/db/queries/pagination.ts';
import { schoolConnections } from '#server/db/queries/school-connections.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { Account, ListedRole, State, UserOrder, UserSort } from '../admin-contract.ts';
import type { User } from '../contract.ts';
import { mergedInto } from '../merging/server/merged-account-store.ts';
import { grantsOf } from '../roles/server/store.ts';
import { toUser } from './store.ts';

/**
 * A filter of accounts at these schools, by membership or grant, with an optional role, status and last sign-in. A blank search
 * matches all.
 */
export type UserFilter = Readonly<{
  schools: SchoolScope;
  role: ListedRole | undefined;
  state: State | undefined;
  /** Last signed in before this time, or never; null means never only. */
  notSignedInSince: Instant | null | undefined;
  /** Whether to select only members whom one of these schools has not approved. */
  isUnapproved: boolean;
  search: string;
}>;

/** The sort order of a list of accounts. */
export type UserSorting = Readonly<{ by: UserSort; order: UserOrder }>;

// Each key is the column or expression of an index that ends with the ID.
const SORT_KEYS: Readonly<Record<UserSort, RawBuilder<string>>> = {
  name: sql<string>`users.sort_key`,
  email: sql<string>`users.email_key`,
  lastLogin: sql<string>`coalesce(users.last_login_at, '0001-01-01T00:00:00.000Z')`,
};

/** A page of accounts in the given order, without erased ones, with one extra row that shows whether there is a next page. */
export async function pageOfUsers(
  db: Db,
  filter: UserFilter,
  { by, order }: UserSorting,
  page: Page,
): Promise<{ user: Account; sortKey: string }[]> {
  const key = SORT_KEYS[by];
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .select(key.as('sorted_by'))
    .where(ofSchools(filter.schools))
    .where(matches(filter))
    .where(after(key, order, page))
    .orderBy(key, order)
    .orderBy('id', order)
    .limit(page.limit + 1)
    .execute();
  const users = await withMemberships(db, rows);
  return users.map((user, at) => ({ user, sortKey: rows[at]?.sorted_by ?? '' }));
}

/** The number of accounts that match a filter, without erased ones. */
export function countUsers(db: Db, filter: UserFilter): Promise<number> {
  return countRows(db.selectFrom('users').where(amongMembers(filter.schools)).where(matches(filter)));
}

/**
 * Returns what decides whether an account can be emailed, for accounts that match the filter and, if given, are among `ids`. At
 * most `limit`.
 */
export async function findEmailability(
  db: Db,
  filter: UserFilter,
  { ids, limit }: { ids: readonly number[] | undefined; limit: number },
) {
  const rows = await db
    .selectFrom('users')
    .select(['id', 'is_active', 'is_walk_in', 'email_verified_at'])
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .where(amongMembers(filter.schools))
    .where(matches(filter))
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    id: row.id,
    isActive: row.is_active === 1,
    isWalkIn: row.is_walk_in === 1,
    isConfirmed: row.email_verified_at !== null,
  }));
}

/** An account that is not erased, or undefined. */
export async function findAdminUser(db: Db, id: number): Promise<Account | undefined> {
  const [found] = await findAdminUsers(db, [id]);
  return found;
}

/** Returns accounts by ID, at most a page of them, without erased ones, in no particular order. */
export async function findAdminUsers(db: Db, ids: readonly number[]): Promise<Account[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('users')
    .selectAll()
    .where('id', 'in', ids)
    .where('erased_at', 'is', null)
    .execute();
  return withMemberships(db, rows);
}

/** Returns the schools where people are members without an approval, by person. A role at a school counts as an approval. */
export async function unapprovedUsers(
  db: Db,
  ids: readonly number[],
  schools: SchoolScope,
): Promise<Map<number, { id: number; name: string }[]>> {
  const rows = await db
    .selectFrom('user_schools')
    .innerJoin('users', 'users.id', 'user_schools.user_id')
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select(['user_schools.user_id', 'schools.id', translatedName('schools').as('name')])
    .where('user_schools.user_id', 'in', ids)
    .where('user_schools.is_approved', '=', 0)
    .where('user_schools.status', '=', 'active')
    .where('users.role', '<>', 'admin')
    .where(inSchools('user_schools.school_id', schools))
    .where(
      sql<boolean>`not exists (select 1 from user_grants where user_grants.user_id = user_schools.user_id
        and (user_grants.school_id is null or user_grants.school_id = user_schools.school_id))`,
    )
    .orderBy('schools.name_key')
    .execute();
  const byPerson = Map.groupBy(rows, ({ user_id }) => user_id);
  return new Map([...byPerson].map(([id, places]) => [id, places.map(({ id, name }) => ({ id, name }))]));
}

/** Returns the IDs of all active administrators and locks their rows until the transaction ends. */
export async function lockAdministrators(trx: Trx): Promise<readonly number[]> {
  const rows = await forUpdate(
    trx,
    trx.selectFrom('users').select('id').where('role', '=', 'admin').where('is_active', '=', 1).orderBy('id'),
  ).execute();
  return rows.map((row) => row.id);
}

/**
 * Counts the records that prevent the deletion of an account. Deleted rows do not count, except hours that the user verified or
 * declined, because they name the verifier.
 */
export async function countRecordsOf(trx: Trx, id: number) {
  const { rows } = await sql<Record<'timeEntries' | 'photos' | 'suggestions' | 'decisions', number>>`select
    (select count(*) from time_entries where user_id = ${id} and deleted_at is null) as "timeEntries",
    (select count(*) from photos where user_id = ${id} and deleted_at is null) as photos,
    (select count(*) from activity_suggestions where user_id = ${id} and status <> 'deleted') as suggestions,
    (select count(*) from time_entries where decided_by = ${id}) as decisions`.execute(trx);
  return assertDefined(rows[0]);
}

/**
 * Deletes an account and all of its deleted items, including rows of other features, because nothing may still refer to it.
 * Returns the IDs of the deleted items. A foreign-key violation means that live rows still refer to the account.
 */
export async function deleteAccount(
  trx: Trx,
  id: number,
): Promise<{ timeEntries: number[]; photos: number[]; suggestions: number[] }> {
  const entries = await trx
    .deleteFrom('time_entries')
    .where('user_id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .execute();
  const photos = await trx
    .deleteFrom('photos')
    .where('user_id', '=', id)
    .where('deleted_at', 'is not', null)
    .returning('id')
    .execute();
  const suggestions = await trx
    .deleteFrom('activity_suggestions')
    .where('user_id', '=', id)
    .where('status', '=', 'deleted')
    .returning('id')
    .execute();
  // Accounts merged into it are deleted with it.
  const merged = await mergedInto(trx, [id]);
  await trx
    .deleteFrom('users')
    .where('id', 'in', [id, ...merged])
    .execute();
  return {
    timeEntries: entries.map((row) => row.id),
    photos: photos.map((row) => row.id),
    suggestions: suggestions.map((row) => row.id),
  };
}

// All of a filter but its schools, without erased accounts.
function matches(filter: UserFilter): RawBuilder<boolean> {
  return sql<boolean>`users.erased_at is null and ${inRole(filter)} and ${inState(filter)}
    and ${unapproved(filter)} and ${containsWords('users.search_key', filter.search)}`;
}

function ofSchools(schools: SchoolScope): RawBuilder<boolean> {
  if (schools === 'all') return sql<boolean>`1 = 1`;
  return sql<boolean>`exists (select 1 from user_schools
    where user_schools.user_id = users.id and ${inSchools('user_schools.school_id', schools)}
    union all select 1 from user_grants
    where user_grants.user_id = users.id and ${inSchools('user_grants.school_id', schools)})`;
}

// The same condition as `ofSchools`, but fast for counting: starts from the schools' members, whereas the list is read in sort
// order.
function amongMembers(schools: SchoolScope): RawBuilder<boolean> {
  if (schools === 'all') return sql<boolean>`1 = 1`;
  return sql<boolean>`users.id in (select user_id from user_schools where ${inSchools('school_id', schools)}
    union all select user_id from user_grants where ${inSchools('school_id', schools)})`;
}

// A role at all schools counts at each of them.
function inRole({ schools, role }: UserFilter): RawBuilder<boolean> {
  if (role === undefined) return sql<boolean>`1 = 1`;
  if (role === 'user' || role === 'admin') return sql<boolean>`users.role = ${role}`;
  const there = sql`(user_grants.school_id is null or ${inSchools('user_grants.school_id', schools)})`;
  if (role === 'volunteer') {
    return sql<boolean>`(users.role = 'user' and users.id not in (select user_id from user_grants where ${there}))`;
  }
  return sql<boolean>`users.id in (select user_id from user_grants where role = ${role} and ${there})`;
}

function inState({ state, notSignedInSince }: UserFilter): RawBuilder<boolean> {
  const isActive = state === 'active' ? 1 : 0;
  const ofState = state === undefined ? sql<boolean>`1 = 1` : sql<boolean>`users.is_active = ${isActive}`;
  if (notSignedInSince === undefined) return ofState;
  if (notSignedInSince === null) return sql<boolean>`${ofState} and users.last_login_at is null`;
  return sql<boolean>`${ofState} and (users.last_login_at is null or users.last_login_at < ${notSignedInSince})`;
}

function unapproved({ isUnapproved, schools }: UserFilter): RawBuilder<boolean> {
  if (!isUnapproved) return sql<boolean>`1 = 1`;
  return sql<boolean>`(users.role <> 'admin' and users.id in (select user_id from user_schools
    where is_approved = 0 and status = 'active' and ${inSchools('school_id', schools)}
      and not exists (select 1 from user_grants where user_grants.user_id = user_schools.user_id
        and (user_grants.school_id is null or user_grants.school_id = user_schools.school_id))))`;
}

function after(key: RawBuilder<string>, order: UserOrder, page: Page): RawBuilder<boolean> {
  if (page.after === undefined) return sql<boolean>`1 = 1`;
  const [last, id] = page.after;
  return sql<boolean>`(${key}, users.id) ${sql.raw(order === 'asc' ? '>' : '<')} (${last}, ${id})`;
}

type UserRow = Parameters<typeof toUser>[0];

// Runs one query each for all memberships, grants and deletion requests of a page, never one per row.
async function withMemberships(db: Db, rows: readonly UserRow[]): Promise<Account[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const joined = await db
    .selectFrom('user_schools')
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select([
      'user_schools.user_id',
      'user_schools.status',
      'schools.id',
      translatedName('schools').as('name'),
      'schools.logo_url as logoUrl',
    ])
    .where('user_schools.user_id', 'in', ids)
    .orderBy('schools.name_key')
    .execute();
  const granted = await grantsOf(db, ids);
  const requests = await db
    .selectFrom('deletion_requests')
    .select(['user_id', 'requested_at'])
    .where('user_id', 'in', ids)
    .execute();
  const ties = await schoolConnections(db, ids);
  return rows.map((row) => {
    const request = requests.find((found) => found.user_id === row.id);
    const own = joined.filter((school) => school.user_id === row.id);
    const grants = granted.filter(({ userId }) => userId === row.id);
    const user = toUser(row, { schools: own, grants }, request?.requested_at ?? null);
    return accountOf(row, user, ties.get(row.id) ?? []);
  });
}

function accountOf(row: UserRow, user: User, ties: readonly number[]): Account {
  return {
    ...user,
    ...linkNeed(row),
    version: row.version,
    isEmailConfirmed: row.email_verified_at !== null,
    isWalkIn: row.is_walk_in === 1,
    userSchools: user.schools.map(({ id, name }) => ({ school: { id, name } })),
    ties,
    vouchedBy: row.vouched_by,
    isDeactivatedByDistrict: row.is_active === 0 && row.deactivated_by_district === 1,
  };
}

// Whether the user needs a link to choose a first password. A user who registered needs a confirmation link instead.
function linkNeed(row: UserRow): { needsLink?: true } {
  const { is_walk_in, password_hash, last_login_at, email_verified_at, vouched_at } = row;
  const isUnopened = is_walk_in === 0 && password_hash === null && last_login_at === null;
  return isUnopened && (email_verified_at !== null || vouched_at !== null) ? { needsLink: true } : {};
}
