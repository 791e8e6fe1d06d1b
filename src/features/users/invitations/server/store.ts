import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { containsWords, inSchools } from '#server/db/queries/conditions.ts';
import { countRows } from '#server/db/queries/count-rows.ts';
import { beforeId, type Page } from '#server/db/queries/pagination.ts';
import { toPersonRef } from '#server/db/queries/person-ref.ts';
import { translatedName } from '#server/db/queries/translated-name.ts';
import type { Row } from '#server/db/tables.ts';
import type { SchoolScope } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { Grant } from '#shared/permissions.ts';
import { emailKey, type Invite, type Role } from '../../contract.ts';
import { grantsOfInvites, insertInviteGrants } from '../../roles/server/store.ts';

/** Selects invitations to these schools only that match a search and, if `openAt` is given, are usable at that time. */
export type InviteFilter = Readonly<{
  schools: SchoolScope;
  search: string;
  openAt: Instant | undefined;
}>;

/** An invitation that can still be used, and its schools. */
export type OpenInvite = Readonly<{
  id: number;
  email: string;
  emailKey: string;
  role: Role;
  schoolIds: readonly number[];
  grants: readonly Grant[];
  invitedBy: number | null;
  /** Whether its sender saw the link too. In that case the code does not confirm the address. */
  isShown: boolean;
}>;

/** Stores an invitation to schools with the hash of its code. Returns its id. */
export async function insertInvite(
  trx: Trx,
  invite: {
    tokenHash: string;
    email: string;
    role: Role;
    schoolIds: readonly number[];
    grants?: readonly Grant[];
    by: number;
    at: Instant;
    expiresAt: Instant;
    isShown?: boolean;
  },
): Promise<number> {
  const { id } = await trx
    .insertInto('invites')
    .values({
      token_hash: invite.tokenHash,
      email: invite.email,
      email_key: emailKey(invite.email),
      role: invite.role,
      invited_by: invite.by,
      created_at: invite.at,
      expires_at: invite.expiresAt,
      is_shown: invite.isShown === true ? 1 : 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await trx
    .insertInto('invite_schools')
    .values(invite.schoolIds.map((schoolId) => ({ invite_id: id, school_id: schoolId })))
    .execute();
  await insertInviteGrants(trx, id, invite.grants ?? []);
  return id;
}

/** Replaces the code of an invitation. Returns false if it was used. */
export function renewInvite(
  trx: Trx,
  id: number,
  { tokenHash, expiresAt, isShown }: { tokenHash: string; expiresAt: Instant; isShown: boolean },
): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('invites')
      .set({ token_hash: tokenHash, expires_at: expiresAt, is_shown: isShown ? 1 : 0 })
      .where('id', '=', id)
      .where('used_at', 'is', null),
  );
}

/** Revokes an invitation. Returns false if it was used. */
export function deleteUnusedInvite(trx: Trx, id: number): Promise<boolean> {
  return changesRows(trx.deleteFrom('invites').where('id', '=', id).where('used_at', 'is', null));
}

/** Uses an invitation, once. Returns false if it was used before. */
export function markInviteUsed(trx: Trx, id: number, userId: number, at: Instant): Promise<boolean> {
  return changesRows(
    trx
      .updateTable('invites')
      .set({ used_at: at, used_by: userId })
      .where('id', '=', id)
      .where('used_at', 'is', null),
  );
}

/** The usable invitation with this code hash, or undefined. */
export async function findInviteByToken(
  db: Db,
  tokenHash: string,
  now: Instant,
): Promise<OpenInvite | undefined> {
  const rows = await openInvites(db, now).where('token_hash', '=', tokenHash).execute();
  return (await withSchools(db, rows))[0];
}

/** All usable invitations to an address. */
export async function openInvitesTo(db: Db, email: string, now: Instant): Promise<OpenInvite[]> {
  return withSchools(db, await openInvites(db, now).where('email_key', '=', emailKey(email)).execute());
}

/** All usable invitations of a sender. */
export async function openInvitesBy(db: Db, senderId: number, now: Instant): Promise<OpenInvite[]> {
  return withSchools(db, await openInvites(db, now).where('invited_by', '=', senderId).execute());
}

/** Deletes invitations that expired unused before the given time. */
export async function deleteInvitesBefore(trx: Trx, before: Instant): Promise<void> {
  await trx.deleteFrom('invites').where('used_at', 'is', null).where('expires_at', '<', before).execute();
}

function openInvites(db: Db, now: Instant) {
  return db
    .selectFrom('invites')
    .select(['id', 'email', 'email_key', 'role', 'invited_by', 'is_shown'])
    .where('used_at', 'is', null)
    .where('expires_at', '>', now);
}

type InviteRow = Pick<Row<'invites'>, 'id' | 'email' | 'email_key' | 'role' | 'invited_by' | 'is_shown'>;

async function withSchools(db: Db, rows: readonly InviteRow[]): Promise<OpenInvite[]> {
  const ids = rows.map((row) => row.id);
  const schools = await schoolsOfInvites(db, ids);
  const grants = await grantsOfInvites(db, ids);
  return rows.map((row) => ({
    id: row.id,
    email: row.email,
    emailKey: row.email_key,
    role: row.role,
    schoolIds: schools.filter((school) => school.invite_id === row.id).map((school) => school.id),
    grants: grants
      .filter(({ inviteId }) => inviteId === row.id)
      .map(({ role, school }) => ({ role, schoolId: school?.id ?? null })),
    invitedBy: row.invited_by,
    isShown: row.is_shown === 1,
  }));
}

/** A page of invitations, newest first, with one extra row that shows whether there is a next page. */
export async function pageOfInvites(db: Db, filter: InviteFilter, page: Page): Promise<Invite[]> {
  const rows = await filtered(db, filter)
    .leftJoin('users', 'users.id', 'invites.invited_by')
    .select(SHOWN)
    .where(beforeId('invites', page))
    .orderBy('invites.id', 'desc')
    .limit(page.limit + 1)
    .execute();
  return asInvites(db, rows);
}

/** The number of invitations that match a filter. */
export function countInvites(db: Db, filter: InviteFilter): Promise<number> {
  return countRows(filtered(db, filter));
}

/** An invitation within these schools, or undefined. */
export async function findInvite(db: Db, schools: SchoolScope, id: number): Promise<Invite | undefined> {
  const rows = await selectInvites(db).where('invites.id', '=', id).where(within(schools)).execute();
  return (await asInvites(db, rows))[0];
}

/** The schools of invitations, by name. */
export function schoolsOfInvites(db: Db, ids: readonly number[]) {
  return db
    .selectFrom('invite_schools')
    .innerJoin('schools', 'schools.id', 'invite_schools.school_id')
    .select([
      'invite_schools.invite_id',
      'schools.id',
      translatedName('schools').as('name'),
      'schools.logo_url as logoUrl',
    ])
    .where('invite_schools.invite_id', 'in', ids)
    .orderBy('schools.name_key')
    .execute();
}

const SHOWN = [
  'invites.id',
  'invites.email',
  'invites.role',
  'invites.created_at as createdAt',
  'invites.expires_at as expiresAt',
  'invites.used_at as usedAt',
  'invites.invited_by',
  'users.first_name',
  'users.last_name',
] as const;

type ShownRow = Awaited<ReturnType<ReturnType<typeof selectInvites>['execute']>>[number];

function selectInvites(db: Db) {
  return db.selectFrom('invites').leftJoin('users', 'users.id', 'invites.invited_by').select(SHOWN);
}

function filtered(db: Db, { schools, search, openAt }: InviteFilter) {
  return db
    .selectFrom('invites')
    .where(within(schools))
    .where(containsWords('invites.email_key', search))
    .$if(openAt !== undefined, (query) =>
      query.where('invites.used_at', 'is', null).where('invites.expires_at', '>', openAt as Instant),
    );
}

// An administrator of some schools cannot see an invitation to another school or to the district administrator role.
function within(schools: SchoolScope): RawBuilder<boolean> {
  if (schools === 'all') return sql<boolean>`1 = 1`;
  return sql<boolean>`(invites.role = 'user'
    and not exists (select 1 from invite_schools where invite_schools.invite_id = invites.id
      and not ${inSchools('invite_schools.school_id', schools)})
    and not exists (select 1 from invite_grants where invite_grants.invite_id = invites.id
      and (invite_grants.school_id is null or not ${inSchools('invite_grants.school_id', schools)})))`;
}

async function asInvites(db: Db, rows: readonly ShownRow[]): Promise<Invite[]> {
  const ids = rows.map((row) => row.id);
  const schools = await schoolsOfInvites(db, ids);
  const given = await grantsOfInvites(db, ids);
  return rows.map(({ invited_by, first_name, last_name, ...row }) => ({
    ...row,
    grants: given.filter(({ inviteId }) => inviteId === row.id).map(({ role, school }) => ({ role, school })),
    schools: schools
      .filter((school) => school.invite_id === row.id)
      .map(({ id, name, logoUrl }) => ({ id, name, logoUrl })),
    invitedBy: toPersonRef(invited_by, first_name, last_name),
  }));
}
