import { sql } from 'kysely';
import type { Role } from '#features/users/contract.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { GRANTS_TEXT } from '#server/db/queries/grants.ts';
import type { SignInWay } from '#server/db/tables.ts';
import type { Viewer } from '#server/http/viewer.ts';
import type { Instant } from '#shared/calendar-date.ts';
import type { Language } from '#shared/i18n/languages.ts';

/** A session with its account: one row for each school joined, or one row without a school. */
export type SessionRow = Readonly<{
  id: number;
  created_at: Instant;
  last_used_at: Instant;
  proven_at: Instant | null;
  user_id: number;
  role: Role;
  is_active: 0 | 1;
  language: Language | null;
  school_id: number | null;
  /** Null without a school. */
  is_approved: 0 | 1 | null;
  /** Parsed by `grantsIn`. */
  grants: string | null;
  /** The district's settings and its two-factor requirement, as stored. */
  district: string | null;
  demand: string | null;
}>;

/** The provider account that a session was signed in with, the provider's session ID, and its encrypted ID token. */
export type Source = Readonly<{
  linkId: number;
  issuer: string;
  subject: string;
  providerSession: string | undefined;
  /** The time of the provider's callback. */
  cameAt: Instant | undefined;
  idToken: string | undefined;
}>;

/** How a session was signed in. A sign-in by an emailed link does not count as a recent authentication. */
export type SignedInBy = Readonly<{ by: SignInWay }> & Partial<Source>;

/** Adds a session with the hash of its token. */
export async function insertSession(
  trx: Trx,
  session: {
    tokenHash: string;
    userId: number;
    at: Instant;
    address: string;
    agent: string;
  },
  way: SignedInBy,
): Promise<void> {
  await trx
    .insertInto('sessions')
    .values({
      token_hash: session.tokenHash,
      user_id: session.userId,
      created_at: session.at,
      last_used_at: session.at,
      address: session.address,
      agent: session.agent,
      signed_in_by: way.by,
      proven_at: way.by === 'link' ? null : session.at,
      provider_link_id: way.linkId ?? null,
      provider_session: way.providerSession ?? null,
      provider_id_token: way.idToken ?? null,
    })
    .execute();
}

/**
 * Returns the rows of the session with this token hash; empty if there is none. `district` and `demand` are the names of two
 * settings to read along with it.
 */
export async function findSession(
  db: Db,
  tokenHash: string,
  { district, demand }: { district: string; demand: string },
): Promise<SessionRow[]> {
  const found = await sql<SessionRow>`${SESSION},
    (select value from district_settings where name = ${district}) as district,
    (select value from district_settings where name = ${demand}) as demand
    ${OF_ACCOUNT} where sessions.token_hash = ${tokenHash}`.execute(db);
  return found.rows;
}

// Reads the settings too, because each statement is another round trip on PostgreSQL.
const SESSION = sql.raw(`select sessions.id, sessions.created_at, sessions.last_used_at,
    sessions.proven_at, users.id as user_id, users.role, users.is_active, users.language, user_schools.school_id,
    user_schools.is_approved, ${GRANTS_TEXT} as grants`);
const OF_ACCOUNT = sql.raw(`from sessions
  join users on users.id = sessions.user_id
  left join user_schools on user_schools.user_id = users.id and user_schools.status = 'active'`);

/** The sessions of an account. */
export function sessionsOf(db: Db, userId: number) {
  return db
    .selectFrom('sessions')
    .leftJoin('provider_links', 'provider_links.id', 'sessions.provider_link_id')
    .select(['sessions.id', 'sessions.created_at', 'sessions.last_used_at', 'sessions.agent'])
    .select(['sessions.signed_in_by', 'provider_links.provider'])
    .where('sessions.user_id', '=', userId)
    .execute();
}

/** Stores when a session was last used. */
export async function touchSession(db: Db, sessionId: number, at: Instant): Promise<void> {
  await db.updateTable('sessions').set({ last_used_at: at }).where('id', '=', sessionId).execute();
}

/** Stores that a session was re-authenticated. Returns whether the session still exists. */
export function recordSessionReauthentication(trx: Trx, sessionId: number, at: Instant): Promise<boolean> {
  return changesRows(trx.updateTable('sessions').set({ proven_at: at }).where('id', '=', sessionId));
}

/** Ends one session; its token no longer works from the next request on. */
export async function endSession(trx: Trx, sessionId: number): Promise<void> {
  await trx.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Ends one session of an account. Returns its user agent; undefined if the account has no such session. */
export async function endSessionOf(trx: Trx, userId: number, sessionId: number) {
  return await trx
    .deleteFrom('sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .returning('agent')
    .executeTakeFirst();
}

/** The provider of a session and its encrypted ID token; undefined for other sessions. */
export function providerSourceOf(db: Db, sessionId: number) {
  return db
    .selectFrom('sessions')
    .innerJoin('provider_links', 'provider_links.id', 'sessions.provider_link_id')
    .select(['provider_links.provider', 'sessions.provider_id_token as idToken'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst();
}

/**
 * Ends the sessions that came from a provider session, from a provider account, or both. Returns the distinct IDs of their
 * users.
 */
export async function endSessionsFrom(
  trx: Trx,
  { issuer, subject, session }: { issuer: string; subject: string | undefined; session: string | undefined },
): Promise<number[]> {
  const ended = await trx
    .deleteFrom('sessions')
    .where(
      'provider_link_id',
      'in',
      trx
        .selectFrom('provider_links')
        .select('id')
        .where('issuer', '=', issuer)
        .$if(subject !== undefined, (query) => query.where('subject', '=', subject ?? '')),
    )
    .$if(session !== undefined, (query) => query.where('provider_session', '=', session ?? ''))
    .returning('user_id')
    .execute();
  return ended.map((row) => row.user_id);
}

/** The ID of the account's session with this token hash. */
export async function sessionByToken(db: Db, userId: number, tokenHash: string): Promise<number | undefined> {
  const found = db.selectFrom('sessions').select('id').where('token_hash', '=', tokenHash);
  return (await found.where('user_id', '=', userId).executeTakeFirst())?.id;
}

/** Ends every session of an account. */
export async function endSessionsOf(trx: Trx, userId: number): Promise<void> {
  await endSessionsExcept(trx, userId, undefined);
}

/** Ends every session of an account except `keep`, if given. Returns how many. */
export async function endSessionsExcept(trx: Trx, userId: number, keep: number | undefined): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(keep !== undefined, (query) => query.where('id', '!=', keep ?? 0))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Ends every session of the viewer's account except the current one. Returns how many. */
export function endOtherSessions(trx: Trx, viewer: Viewer): Promise<number> {
  return endSessionsExcept(trx, viewer.userId, viewer.sessionId);
}

/** Deletes sessions that started before a time. */
export async function deleteSessionsBefore(trx: Trx, before: Instant): Promise<void> {
  await trx.deleteFrom('sessions').where('created_at', '<', before).execute();
}

/** The account's sessions for the data export, without tokens or their hashes. */
export function exportedSessionsOf(db: Db, userId: number) {
  return db
    .selectFrom('sessions')
    .select(['created_at as createdAt', 'last_used_at as lastUsedAt', 'address', 'agent'])
    .select(['signed_in_by as signedInBy', 'proven_at as provenAt'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();
}
