import type { Db, Trx } from '#server/db/database.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { Person } from '#server/personal-data/data-export.ts';
import { fullName } from '#shared/person-name.ts';
import { foldForSearch } from '#shared/text-normalization.ts';
import { emailKey } from '../contract.ts';
import { CLOSED_ACCOUNT } from './store.ts';

/** Whether an account was erased, and not only merged into another one. */
export function wasDeleted(db: Db, id: number): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('users')
      .where('id', '=', id)
      .where('erased_at', 'is not', null)
      .where('id', 'not in', (eb) =>
        eb.selectFrom('account_merges').select('from_user_id').where('undone_at', 'is', null),
      ),
  );
}

/**
 * The `email_key` of an account, which is a generated one for guest volunteers and erased accounts; undefined if the account
 * does not exist.
 */
export async function addressOf(db: Db, id: number): Promise<string | undefined> {
  const user = await db.selectFrom('users').select('email_key').where('id', '=', id).executeTakeFirst();
  return user?.email_key;
}

/** Which of these addresses belong to another account. */
export async function addressesOfOthers(db: Db, id: number, addresses: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('email_key')
    .where('email_key', 'in', addresses)
    .where('id', '<>', id)
    .execute();
  return rows.map((row) => row.email_key);
}

/**
 * Fields of the account's row that are not in the profile: when the address was confirmed and vouched for, and failed sign-ins.
 */
export function accountOf(db: Db, userId: number) {
  return db
    .selectFrom('users')
    .select(['email_verified_at as emailVerifiedAt', 'vouched_at as addressVouchedAt'])
    .select('failed_logins as failedLogins')
    .where('id', '=', userId)
    .executeTakeFirst();
}

/** The schools that were joined or requested, with dates. */
export function membershipsOf(db: Db, userId: number) {
  return db
    .selectFrom('user_schools')
    .innerJoin('schools', 'schools.id', 'user_schools.school_id')
    .select(['schools.id as schoolId', translatedName('schools').as('school'), 'user_schools.status'])
    .select('user_schools.created_at as since')
    .where('user_schools.user_id', '=', userId)
    .orderBy('schools.name_key')
    .execute();
}

/** The roles at schools, with dates; a null school means all schools. */
export function rolesOf(db: Db, userId: number) {
  return db
    .selectFrom('user_grants')
    .leftJoin('schools', 'schools.id', 'user_grants.school_id')
    .select([
      'user_grants.role',
      'schools.id as schoolId',
      translatedName<string | null>('schools').as('school'),
    ])
    .select('user_grants.created_at as since')
    .where('user_grants.user_id', '=', userId)
    .orderBy('schools.name_key')
    .orderBy('user_grants.role')
    .execute();
}

/** The invitations that this account used, and those to its address. */
export function invitesOf(db: Db, userId: number) {
  return db
    .selectFrom('invites')
    .select(['email', 'role', 'created_at as createdAt', 'expires_at as expiresAt', 'used_at as usedAt'])
    .where((eb) =>
      eb.or([
        eb('used_by', '=', userId),
        eb('email_key', '=', eb.selectFrom('users').select('email_key').where('id', '=', userId)),
      ]),
    )
    .orderBy('id')
    .execute();
}

/** Deletes a person's memberships, grants and pending email confirmations. */
export async function deleteMembershipsAndConfirmations(trx: Trx, { id, addresses }: Person): Promise<void> {
  await trx.deleteFrom('user_schools').where('user_id', '=', id).execute();
  await trx.deleteFrom('user_grants').where('user_id', '=', id).execute();
  await trx
    .deleteFrom('email_confirmations')
    .where((eb) => eb.or([eb('user_id', '=', id), eb('email_key', 'in', addresses)]))
    .execute();
}

/** Deletes the invitations that a person used, and those to their addresses. Returns their ids. */
export async function deleteInvitesOf(trx: Trx, { id, addresses }: Person): Promise<number[]> {
  const invites = await trx
    .deleteFrom('invites')
    .where((eb) => eb.or([eb('used_by', '=', id), eb('email_key', 'in', addresses)]))
    .returning('id')
    .execute();
  return invites.map((invite) => invite.id);
}

/** Permanently erases the personal data in an account's row; the row stays because hours refer to it. */
export async function anonymizeAccount(
  trx: Trx,
  person: Person,
  former: { email: string; firstName: string; lastName: string },
): Promise<void> {
  await trx
    .updateTable('users')
    .set((eb) => ({
      email: former.email,
      email_key: emailKey(former.email),
      first_name: former.firstName,
      last_name: former.lastName,
      sort_key: foldForSearch(`${former.lastName} ${former.firstName}`),
      search_key: foldForSearch(fullName(former)),
      ...CLOSED_ACCOUNT,
      is_walk_in: 0,
      erased_at: person.at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', person.id)
    .execute();
}
