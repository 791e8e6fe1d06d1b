import type { Instant } from '#base/calendar-date.ts';
import { clean, fold } from '#base/text.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import type { Db, Trx } from '#server/db/connect.ts';
import type { Row } from '#server/db/tables.ts';
import { emailKey, type Role, type User } from '../contract.ts';

/** What a new account is made of; `passwordHash` is null until a link sets a password. */
export type NewUser = Readonly<{
  email: string;
  passwordHash: string | null;
  firstName: string;
  lastName: string;
  role: Role;
  at: Instant;
}>;

/** Adds an account; a unique violation means that the address is taken. Answers its id. */
export async function insertUser(trx: Trx, user: NewUser): Promise<number> {
  const { id } = await trx
    .insertInto('users')
    .values({
      email: clean(user.email),
      email_key: emailKey(user.email),
      password_hash: user.passwordHash,
      first_name: user.firstName,
      last_name: user.lastName,
      ...nameKeys(user),
      role: user.role,
      is_active: 1,
      created_at: user.at,
      last_login_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Makes a user a member of schools. */
export async function insertMemberships(
  trx: Trx,
  userId: number,
  schoolIds: readonly number[],
  at: Instant,
): Promise<void> {
  if (schoolIds.length === 0) return;
  await trx
    .insertInto('user_schools')
    .values(
      schoolIds.map((schoolId) => ({
        user_id: userId,
        school_id: schoolId,
        status: 'active',
        created_at: at,
      })),
    )
    .execute();
}

/** An account as its owner sees it, or nothing. */
export async function findUser(db: Db, id: number): Promise<User | undefined> {
  const row = await db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const schools = await db
    .selectFrom('user_schools')
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select(['schools.id', 'schools.name', 'schools.logo_url as logoUrl', 'user_schools.status'])
    .where('user_schools.user_id', '=', id)
    .orderBy('schools.name_key')
    .execute();
  return toUser(row, schools);
}

/** What signing in needs to know of an account, by its e-mail address in any case. */
export function findCredentials(db: Db, email: string) {
  return db
    .selectFrom('users')
    .select(['id', 'password_hash', 'is_active'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
}

export async function markSignedIn(trx: Trx, userId: number, at: Instant): Promise<void> {
  await trx.updateTable('users').set({ last_login_at: at }).where('id', '=', userId).execute();
}

export async function setPassword(trx: Trx, userId: number, passwordHash: string): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({ password_hash: passwordHash, version: eb('version', '+', 1) }))
    .where('id', '=', userId)
    .execute();
}

/** Whether there is an active administrator who can sign in. */
export async function hasAdministrator(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .where('password_hash', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** The first administrator without a password, made by an earlier start, or nothing. */
export function findUnclaimedAdministrator(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'email'])
    .where('role', '=', 'admin')
    .where('is_active', '=', 1)
    .where('password_hash', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
}

/** What lists sort by and searches look in. */
function nameKeys(user: { firstName: string; lastName: string; email: string }) {
  return {
    sort_key: fold(`${user.lastName} ${user.firstName}`),
    search_key: fold(`${user.firstName} ${user.lastName} ${user.email}`),
  };
}

type JoinedSchool = PublicSchool & { status: Row<'user_schools'>['status'] };

function toUser(row: Row<'users'>, schools: readonly JoinedSchool[]): User {
  const withStatus = (wanted: JoinedSchool['status']) =>
    schools.filter(({ status }) => status === wanted).map(({ id, name, logoUrl }) => ({ id, name, logoUrl }));
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    role: row.role,
    isActive: row.is_active === 1,
    createdAt: row.created_at,
    lastLogin: row.last_login_at,
    schools: withStatus('active'),
    pendingSchools: withStatus('pending'),
    erasureRequestedAt: null,
  };
}
