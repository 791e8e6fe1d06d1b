import type { Db, Trx } from '#server/db/database.ts';
import { changesRows } from '#server/db/queries/changes-rows.ts';
import { hasRows } from '#server/db/queries/count-rows.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import type { Message } from '#shared/i18n/message.ts';

/** An attempt to connect that is waiting for Google. `sealed` fields are encrypted with SECRET_KEY. */
export type ConnectAttempt = Readonly<{
  stateHash: string;
  userId: number;
  sessionId: number;
  sealedVerifier: string;
  at: Instant;
  expiresAt: Instant;
}>;

/** A new connection, with its tokens sealed. */
export type NewConnection = Readonly<{
  refreshToken: string;
  accessToken: string;
  accessExpiresAt: Instant;
  account: string | null;
  userId: number;
  at: Instant;
}>;

/** The connection with the name of the user who made it, or undefined. */
export function findConnection(db: Db) {
  return db
    .selectFrom('drive_connection')
    .leftJoin('users', 'users.id', 'drive_connection.connected_by')
    .select([
      'refresh_token as refreshToken',
      'access_token as accessToken',
      'access_expires_at as accessExpiresAt',
      'account',
      'connected_at as connectedAt',
      'lost_at as lostAt',
      'users.id as userId',
      'users.first_name as firstName',
      'users.last_name as lastName',
    ])
    .where('drive_connection.id', '=', 1)
    .executeTakeFirst();
}

/** Replaces the connection. */
export async function saveConnection(trx: Trx, connected: NewConnection): Promise<void> {
  await trx.deleteFrom('drive_connection').execute();
  await trx
    .insertInto('drive_connection')
    .values({
      id: 1,
      refresh_token: connected.refreshToken,
      access_token: connected.accessToken,
      access_expires_at: connected.accessExpiresAt,
      account: connected.account,
      connected_by: connected.userId,
      connected_at: connected.at,
    })
    .execute();
}

/** Stores a fresh access token, unless the connection was replaced meanwhile. */
export async function saveAccessToken(
  db: Db,
  refreshToken: string,
  access: { token: string; expiresAt: Instant },
): Promise<void> {
  await db
    .updateTable('drive_connection')
    .set({ access_token: access.token, access_expires_at: access.expiresAt })
    .where('refresh_token', '=', refreshToken)
    .execute();
}

/** Marks a connection as lost because Google rejects its tokens, unless it was replaced meanwhile. */
export async function markConnectionLost(db: Db, refreshToken: string, at: Instant): Promise<void> {
  await db
    .updateTable('drive_connection')
    .set({ refresh_token: null, access_token: null, access_expires_at: null, lost_at: at })
    .where('refresh_token', '=', refreshToken)
    .execute();
}

/** Deletes the connection; returns whether there was one. */
export function deleteConnection(trx: Trx): Promise<boolean> {
  return changesRows(trx.deleteFrom('drive_connection'));
}

/** Stores an attempt to connect. */
export async function insertAttempt(trx: Trx, attempt: ConnectAttempt): Promise<void> {
  await trx
    .insertInto('drive_attempts')
    .values({
      state_hash: attempt.stateHash,
      user_id: attempt.userId,
      session_id: attempt.sessionId,
      verifier: attempt.sealedVerifier,
      created_at: attempt.at,
      expires_at: attempt.expiresAt,
    })
    .execute();
}

/** Claims an attempt, which works once and for ten minutes. Returns undefined if it was used, has expired or is unknown. */
export function claimAttempt(db: Db, stateHash: string, now: Instant) {
  return db
    .updateTable('drive_attempts')
    .set({ used_at: now })
    .where('state_hash', '=', stateHash)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['user_id as userId', 'session_id as sessionId', 'verifier as sealedVerifier'])
    .executeTakeFirst();
}

/** Stores why an attempt failed. */
export async function saveAttemptProblem(db: Db, stateHash: string, problem: Message): Promise<void> {
  await db.updateTable('drive_attempts').set({ problem }).where('state_hash', '=', stateHash).execute();
}

/** Returns why the user's latest attempt since `since` failed, or null if it did not fail or there is none. */
export async function findLatestProblem(db: Db, userId: number, since: Instant): Promise<Message | null> {
  const row = await db
    .selectFrom('drive_attempts')
    .select('problem')
    .where('user_id', '=', userId)
    .where('created_at', '>=', since)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return (row?.problem ?? null) as Message | null;
}

const HOUR_MS = 3_600_000;

/** Deletes attempts made over an hour ago, which have expired. */
export async function deleteExpiredDriveAttempts(trx: Trx, now: Instant): Promise<void> {
  const before = plusMilliseconds(now, -HOUR_MS);
  await trx.deleteFrom('drive_attempts').where('created_at', '<', before).execute();
}

/** Whether the account is an active district administrator; false for a deleted one. */
export function isActiveAdministrator(db: Db, userId: number | null): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('users')
      .where('id', '=', userId ?? 0)
      .where('role', '=', 'admin')
      .where('is_active', '=', 1),
  );
}

/** Whether a session still belongs to an active administrator. */
export function isAdministratorSession(
  db: Db,
  { userId, sessionId }: { userId: number; sessionId: number },
): Promise<boolean> {
  return hasRows(
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .where('sessions.id', '=', sessionId)
      .where('users.id', '=', userId)
      .where('users.role', '=', 'admin')
      .where('users.is_active', '=', 1),
  );
}
