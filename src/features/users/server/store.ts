import { sql } from 'kysely';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { Actor } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { forEachLanguageSql, sortByTranslatedName } from '#server/db/queries/translated-name.ts';
import { forUpdate } from '#server/db/row-locks.ts';
import type { Row } from '#server/db/tables.ts';
import type { Instant } from '#shared/calendar-date.ts';
import {
  fromColumns,
  type InputOf,
  newRecordValues,
  toColumns,
  type ValuesOf,
} from '#shared/entity-fields.ts';
import type { Language } from '#shared/i18n/languages.ts';
import type { GrantRole } from '#shared/permissions.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { emailKey, type Grant, type User } from '../contract.ts';
import { inOrder } from '../roles/server/store.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { withAddress } from './email-change-store.ts';

/** The data of a new account; `passwordHash` is null until a password is set through a link. */
export type NewUser = InputOf<typeof USER_FIELDS> &
  Readonly<{
    passwordHash: string | null;
    at: Instant;
    /** Whether the owner confirmed the address. */
    isVerified?: boolean;
    /** The administrator who entered the address. */
    vouchedBy?: number | null;
    /** Whether a district administrator created it inactive. */
    isDeactivatedByDistrict?: boolean;
    /** The account's language. */
    language?: Language | undefined;
  }>;

/** Adds an account and returns its id. A unique violation means that the address is taken. */
export async function insertUser(trx: Trx, user: NewUser): Promise<number> {
  const { id } = await trx
    .insertInto('users')
    .values({
      ...toColumns(USER_FIELDS, newRecordValues(USER_FIELDS, user)),
      ...keysOf(user),
      password_hash: user.passwordHash,
      created_at: user.at,
      email_verified_at: user.isVerified === true ? user.at : null,
      ...vouched(user.vouchedBy ?? null, user.at),
      ...passwordChosenBy(isAssignedPassword(user) ? (user.vouchedBy ?? null) : null, user.at),
      language: user.language ?? null,
      deactivated_by_district: user.isDeactivatedByDistrict === true ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

// A password is assigned unless the owner confirmed the address, such as by an invitation that no one else saw.
function isAssignedPassword({ passwordHash, isVerified }: NewUser): boolean {
  return passwordHash !== null && isVerified !== true;
}

/** The confirmation status of an address: confirmed by its owner, vouched for by an administrator, or neither. */
export type Standing = Pick<Row<'users'>, 'email_verified_at' | 'vouched_at' | 'vouched_by'>;

/** The confirmation status of the address in a row. A row that an older version stored may lack the voucher. */
export function emailStandingIn(row: Row<'users'>): Standing {
  const { email_verified_at, vouched_at = null, vouched_by = null } = row;
  return { email_verified_at, vouched_at, vouched_by };
}

/** The columns that record who vouches for an address, and since when; null means that no one does. */
export function vouched(by: number | null, at: Instant): Omit<Standing, 'email_verified_at'> {
  return { vouched_at: by === null ? null : at, vouched_by: by };
}

/** Columns that record who set the password on the user's behalf, and when. Both are null if the user set it. */
export function passwordChosenBy(
  by: number | null,
  at: Instant,
): Pick<Row<'users'>, 'password_given_at' | 'password_given_by'> {
  return { password_given_at: by === null ? null : at, password_given_by: by };
}

/** The columns of `passwordChosenBy` for an existing password, to be stored together with it. */
export function passwordChooserOf({
  password_given_at,
  password_given_by,
}: ReturnType<typeof passwordChosenBy>): ReturnType<typeof passwordChosenBy> {
  return { password_given_at, password_given_by };
}

/** The columns of `passwordChosenBy` for a password that its owner chose, or for no password. */
export const CHOSEN_BY_OWNER = { password_given_at: null, password_given_by: null } as const;

/** The confirmation status of an address that the account's owner entered and has not confirmed. */
export const UNPROVEN_EMAIL: Standing = { email_verified_at: null, vouched_at: null, vouched_by: null };

/** The columns of an account that was erased or merged into another one: it has no rights and cannot be signed in to. */
export const CLOSED_ACCOUNT = {
  password_hash: null,
  ...CHOSEN_BY_OWNER,
  role: 'user',
  is_active: 0,
  last_login_at: null,
  ...UNPROVEN_EMAIL,
  failed_logins: 0,
  contact_email: null,
  language: null,
} as const;

/** Adds memberships of schools, active or pending. Users who join by themselves are not approved yet. */
export async function insertMemberships(
  trx: Trx,
  userId: number,
  schoolIds: readonly number[],
  {
    at,
    status = 'active',
    isApproved,
  }: { at: Instant; status?: Row<'user_schools'>['status']; isApproved: boolean },
): Promise<void> {
  if (schoolIds.length === 0) return;
  await trx
    .insertInto('user_schools')
    .values(
      schoolIds.map((schoolId) => ({
        user_id: userId,
        school_id: schoolId,
        status,
        created_at: at,
        is_approved: isApproved ? (1 as const) : (0 as const),
      })),
    )
    .execute();
}

/** Schools that a user joins by themselves: by invitation, immediately, or after approval. */
export type Joins = Readonly<{
  invited: readonly number[];
  atOnce: readonly number[];
  later: readonly number[];
}>;

/** Adds the memberships of `Joins`. */
export async function insertJoins(trx: Trx, userId: number, joins: Joins, at: Instant): Promise<void> {
  await insertMemberships(trx, userId, joins.invited, { at, isApproved: true });
  await insertMemberships(trx, userId, joins.atOnce, { at, isApproved: false });
  await insertMemberships(trx, userId, joins.later, { at, status: 'pending', isApproved: false });
}

/** An account as its owner sees it, or undefined. */
export async function findUser(db: Db, id: number): Promise<User | undefined> {
  // Raw SQL, because every sign-in and page load runs it, and the query builder takes ten times as long.
  const found = await sql<Row<'users'> & { wished_at: Instant | null }>`
    select users.*, deletion_requests.requested_at as wished_at from users
    left join deletion_requests on deletion_requests.user_id = users.id where users.id = ${id}`.execute(db);
  const [row] = found.rows;
  if (row === undefined) return undefined;
  const { schools: joined, grants: granted } = ownPlaces();
  const places = await sql<Place>`${joined} ${id} ${granted} ${id} order by name_key`.execute(db);
  const ordered = sortByTranslatedName(places.rows);
  const schools = ordered.filter((place) => place.id !== null && !isGranted(place));
  const grants = ordered.filter(isGranted).map(({ status, id: schoolId, name }) => ({
    role: status,
    school: schoolId === null ? null : { id: schoolId, name },
  }));
  return toUser(row, { schools: schools as JoinedSchool[], grants: inOrder(grants) }, row.wished_at);
}

const ownPlaces = forEachLanguageSql((shown) => ({
  schools: sql.raw(`select schools.id, ${shown('schools', 'name')} as name, schools.name_key,
      schools.logo_url as "logoUrl", user_schools.status
    from user_schools join schools on schools.id = user_schools.school_id where user_schools.user_id =`),
  grants:
    sql.raw(`union all select schools.id, ${shown('schools', 'name')}, schools.name_key, schools.logo_url,
      user_grants.role
    from user_grants left join schools on schools.id = user_grants.school_id where user_grants.user_id =`),
}));

/** A user's school, by membership or grant; without an ID, all schools. */
type Place = Readonly<{
  id: number | null;
  name: string;
  logoUrl: string | null;
  status: Row<'user_schools'>['status'] | GrantRole;
}>;

function isGranted(place: Place): place is Place & { status: GrantRole } {
  return place.status !== 'active' && place.status !== 'pending';
}

/** Returns the account fields for signing in, by email address; case is ignored. Guest volunteers have none. */
export function findCredentials(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'email', 'password_hash', 'is_active', 'failed_logins', 'language'])
    .where('email_key', '=', emailKey(email))
    .where('is_walk_in', '=', 0)
    .executeTakeFirst();
}

/** Whether an account can be opened with a password. */
export async function hasPassword(db: Db, id: number): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.password_hash !== null;
}

/** Returns a user's row, locked until the transaction ends; undefined if it does not exist or was erased. */
export function lockUser(trx: Trx, id: number): Promise<Row<'users'> | undefined> {
  return forUpdate(
    trx,
    trx.selectFrom('users').selectAll().where('id', '=', id).where('erased_at', 'is', null),
  ).executeTakeFirst();
}

/** The recipient of an email to an account. */
export function emailRecipientOf(
  row: Pick<Row<'users'>, 'id' | 'email' | 'first_name' | 'last_name' | 'email_verified_at' | 'language'>,
) {
  return {
    id: row.id,
    language: row.language,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    isProven: row.email_verified_at !== null,
  };
}

/** Stores the time of a sign-in. */
export async function markSignedIn(trx: Trx, userId: number, at: Instant): Promise<void> {
  await trx.updateTable('users').set({ last_login_at: at }).where('id', '=', userId).execute();
}

/**
 * Stores a password hash, or null for none, and resets the account's count of wrong passwords. Without `chosen`, the record of
 * who set the password does not change. Call `setPassword` of auth instead: it also resets the counts of known devices.
 */
export async function storePasswordHash(
  trx: Trx,
  userId: number,
  passwordHash: string | null,
  chosen?: ReturnType<typeof passwordChosenBy>,
): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({
      ...chosen,
      password_hash: passwordHash,
      failed_logins: 0,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', userId)
    .execute();
}

/**
 * Changes an account. A unique violation means that the address is taken. `standing` is the status of a new address; without
 * one it does not change.
 */
export async function updateUser(
  trx: Trx,
  actor: Actor,
  id: number,
  user: ValuesOf<typeof USER_FIELDS> & { standing?: Standing; language?: Language | null },
): Promise<void> {
  await withAddress(trx, actor, { userId: id, email: user.email }, () =>
    trx
      .updateTable('users')
      .set((eb) => ({
        ...toColumns(USER_FIELDS, user),
        ...(user.language === undefined ? {} : { language: user.language }),
        ...keysOf(user),
        ...user.standing,
        version: eb('version', '+', 1),
      }))
      .where('id', '=', id)
      .execute(),
  );
}

/** Stores whether a user may sign in; `byDistrict` is set if a district administrator decided it. */
export async function markActive(
  trx: Trx,
  id: number,
  { isActive, byDistrict }: { isActive: boolean; byDistrict: boolean },
): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({
      is_active: isActive ? 1 : 0,
      deactivated_by_district: !isActive && byDistrict ? 1 : 0,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
}

/** Increments an account's version after a change outside its own row. */
export async function countVersion(trx: Trx, id: number): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ version: eb('version', '+', 1) }))
    .where('id', '=', id)
    .execute();
}

/**
 * Makes the account with an address, if there is one, an active district administrator with this password; null removes it.
 * Returns its ID.
 */
export async function promoteToAdministrator(
  trx: Trx,
  email: string,
  passwordHash: string | null,
): Promise<number | undefined> {
  const known = await trx
    .updateTable('users')
    .set((eb) => ({
      role: 'admin',
      is_active: 1,
      version: eb('version', '+', 1),
      password_hash: passwordHash,
      ...CHOSEN_BY_OWNER,
    }))
    .where('email_key', '=', emailKey(email))
    .returning('id')
    .executeTakeFirst();
  return known?.id;
}

/** Marks an account's address as confirmed. Returns false if the account has another address by now. */
export function markVerified(trx: Trx, id: number, key: string, at: Instant): Promise<boolean> {
  return changesRows(
    trx.updateTable('users').set({ email_verified_at: at }).where('id', '=', id).where('email_key', '=', key),
  );
}

/** The columns derived from address and name, for comparing addresses, sorting lists and searching. */
export function keysOf(user: { firstName: string; lastName: string; email: string }) {
  return {
    email_key: emailKey(user.email),
    sort_key: foldForSearch(`${user.lastName} ${user.firstName}`),
    search_key: foldForSearch(`${user.firstName} ${user.lastName} ${user.email}`),
  };
}

type JoinedSchool = PublicSchool & { status: Row<'user_schools'>['status'] };

/** Builds an account as its owner sees it, from its row, memberships, grants and deletion request. */
export function toUser(
  row: Row<'users'>,
  { schools, grants }: { schools: readonly JoinedSchool[]; grants: readonly Grant[] },
  erasureRequestedAt: Instant | null,
): User {
  const withStatus = (wanted: JoinedSchool['status']) =>
    schools.filter(({ status }) => status === wanted).map(({ id, name, logoUrl }) => ({ id, name, logoUrl }));
  return {
    id: row.id,
    ...fromColumns(USER_FIELDS, row),
    // The generated address of a guest volunteer is never shown.
    ...(row.is_walk_in === 1 ? { email: row.contact_email ?? '' } : {}),
    createdAt: row.created_at,
    lastLogin: row.last_login_at,
    schools: withStatus('active'),
    pendingSchools: withStatus('pending'),
    grants: grants.map(({ role, school }) => ({ role, school })),
    erasureRequestedAt,
    language: row.language,
  };
}

/** Whether a session is still open. */
export function isSessionOpen(trx: Trx, sessionId: number): Promise<boolean> {
  return hasRows(trx.selectFrom('sessions').where('id', '=', sessionId));
}
