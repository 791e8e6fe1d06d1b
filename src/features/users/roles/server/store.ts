import { sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { GRANTS_TEXT, grantsIn } from '#server/db/queries/grants.ts';
import { RECIPIENT, type Recipient } from '#server/db/queries/recipient.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { type Grant, type GrantRole, SCHOOL_ROLES } from '#shared/permissions.ts';
import type { Grant as NamedGrant } from '../../contract.ts';

/** Users' roles in the order of `inOrder`, and by school within a role. */
export async function grantsOf(
  db: Db,
  userIds: readonly number[],
): Promise<(NamedGrant & { userId: number })[]> {
  const rows = await db
    .selectFrom('user_grants')
    .leftJoin('schools', 'schools.id', 'user_grants.school_id')
    .select([
      'user_grants.user_id',
      'user_grants.role',
      'schools.id',
      translatedName<string | null>('schools').as('name'),
    ])
    .where('user_grants.user_id', 'in', userIds)
    .orderBy('schools.name_key')
    .execute();
  return inOrder(
    rows.map((row) => ({ userId: row.user_id, role: row.role, school: schoolIn(row.id, row.name) })),
  );
}

/** Invitations' roles in the order of `grantsOf`. */
export async function grantsOfInvites(
  db: Db,
  inviteIds: readonly number[],
): Promise<(NamedGrant & { inviteId: number })[]> {
  if (inviteIds.length === 0) return [];
  const rows = await db
    .selectFrom('invite_grants')
    .leftJoin('schools', 'schools.id', 'invite_grants.school_id')
    .select([
      'invite_grants.invite_id',
      'invite_grants.role',
      'schools.id',
      translatedName<string | null>('schools').as('name'),
    ])
    .where('invite_grants.invite_id', 'in', inviteIds)
    .orderBy('schools.name_key')
    .execute();
  return inOrder(
    rows.map((row) => ({ inviteId: row.invite_id, role: row.role, school: schoolIn(row.id, row.name) })),
  );
}

/** Adds roles to those of a user. */
export async function insertGrants(
  trx: Trx,
  userId: number,
  grants: readonly Grant[],
  at: Instant,
): Promise<void> {
  if (grants.length === 0) return;
  await trx
    .insertInto('user_grants')
    .values(
      grants.map(({ role, schoolId }) => ({ user_id: userId, role, school_id: schoolId, created_at: at })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Revokes grants of a person. */
export async function deleteGrants(trx: Trx, userId: number, grants: readonly Grant[]): Promise<void> {
  for (const { role, schoolId } of grants) {
    await trx
      .deleteFrom('user_grants')
      .where('user_id', '=', userId)
      .where('role', '=', role)
      .where(sql<boolean>`coalesce(school_id, 0) = ${schoolId ?? 0}`)
      .execute();
  }
}

/** Stores the grants of an invitation. */
export async function insertInviteGrants(
  trx: Trx,
  inviteId: number,
  grants: readonly Grant[],
): Promise<void> {
  if (grants.length === 0) return;
  await trx
    .insertInto('invite_grants')
    .values(grants.map(({ role, schoolId }) => ({ invite_id: inviteId, role, school_id: schoolId })))
    .execute();
}

/** The current rights and the language of an account; undefined unless it is active. */
export async function rightsHolderOf(db: Db, userId: number) {
  const row = await db
    .selectFrom('users')
    .select(['users.role', 'users.language', sql<string | null>`${sql.raw(GRANTS_TEXT)}`.as('grants')])
    .where('users.id', '=', userId)
    .where('users.is_active', '=', 1)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { role, language, grants } = row;
  return { role, grants: grantsIn(grants), ...(language === null ? {} : { language }) };
}

/** Sorts grants for lists: those for all schools first, then by role in the order of `SCHOOL_ROLES`. */
export function inOrder<Held extends NamedGrant>(grants: readonly Held[]): Held[] {
  const rank = ({ role, school }: Held) => (school === null ? -1 : SCHOOL_ROLES.indexOf(role));
  return grants.toSorted((a, b) => rank(a) - rank(b));
}

function schoolIn(id: number | null, name: string | null) {
  return id === null ? null : { id, name: name ?? '' };
}

/** An active account with rights at some school, as emails need it. */
export type RightsHolder = Recipient &
  Readonly<{ isProven: boolean; role: 'user' | 'admin'; grants: readonly Grant[] }>;

/** The active accounts of district administrators and of users with one of these roles at a school. */
export async function findHolders(db: Db, roles: readonly GrantRole[]): Promise<RightsHolder[]> {
  const rows = await db
    .selectFrom('users')
    .select([
      ...RECIPIENT,
      'users.email_verified_at as provenAt',
      'users.role',
      sql<string | null>`${sql.raw(GRANTS_TEXT)}`.as('grants'),
    ])
    .where('users.is_active', '=', 1)
    .where('users.erased_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('users.role', '=', 'admin'),
        eb.exists(
          eb
            .selectFrom('user_grants')
            .select('user_grants.user_id')
            .whereRef('user_grants.user_id', '=', 'users.id')
            .where('user_grants.role', 'in', roles),
        ),
      ]),
    )
    .orderBy('users.id')
    .execute();
  return rows.map(({ provenAt, grants, ...row }) => ({
    ...row,
    isProven: provenAt !== null,
    grants: grantsIn(grants),
  }));
}
