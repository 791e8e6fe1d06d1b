import { sql } from 'kysely';
import { type Instant, instantOf, millisecondsOf } from '#base/calendar-date.ts';
import { record } from '#server/audit.ts';
import { type Db, type Trx, transaction } from '#server/db/connect.ts';
import { databaseFailure } from '#server/db/failures.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { actorOf, type Request, type Viewer } from '#server/http/viewer.ts';
import { hashToken, newToken } from '#server/secret.ts';
import { messages, type Role, type Session } from '../contract.ts';
import { deviceIn } from './device.ts';

const HOUR_MS = 3_600_000;

/** How long a session lives unused, and in all (security: session lifetime). Administrators' are short. */
export const LIFETIMES: Readonly<Record<Role, { idleMs: number; totalMs: number }>> = {
  user: { idleMs: 7 * 24 * HOUR_MS, totalMs: 30 * 24 * HOUR_MS },
  admin: { idleMs: HOUR_MS, totalMs: 12 * HOUR_MS },
};

// Writing "last used" at every request would make every read a write.
const TOUCH_EVERY_MS = 60_000;

/** Signs a browser in: answers the token, of which only the hash is stored. */
export async function startSession(trx: Trx, userId: number, request: Request): Promise<string> {
  const token = newToken();
  await trx
    .insertInto('sessions')
    .values({
      token_hash: hashToken(token),
      user_id: userId,
      created_at: request.at,
      last_used_at: request.at,
      address: request.address,
      agent: request.agent,
    })
    .execute();
  return token;
}

/**
 * Who a token belongs to, or nothing when it is unknown, too old, or its account is deactivated. Read at every
 * request, so that what ended a session holds from the next one on.
 */
export async function findViewer(deps: Deps, token: string, request: Request): Promise<Viewer | undefined> {
  const { db } = deps.database;
  const { rows } = await sql<SessionRow>`${SESSION} where sessions.token_hash = ${hashToken(token)}`.execute(
    db,
  );
  const [session] = rows;
  if (session === undefined || session.is_active === 0) return undefined;
  if (isOver(session, session.role, request.at)) return undefined;
  if (millisecondsOf(request.at) - millisecondsOf(session.last_used_at) > TOUCH_EVERY_MS) {
    await touch(db, session.id, request.at);
  }
  return {
    userId: session.user_id,
    sessionId: session.id,
    role: session.role,
    schoolIds: rows.flatMap((row) => (row.school_id === null ? [] : [row.school_id])),
  };
}

type SessionRow = Readonly<{
  id: number;
  created_at: Instant;
  last_used_at: Instant;
  user_id: number;
  role: Role;
  is_active: 0 | 1;
  school_id: number | null;
}>;

// As a text: built and compiled anew at every request it took five times as long as the database takes to answer it.
const SESSION = sql.raw(`select sessions.id, sessions.created_at, sessions.last_used_at,
    users.id as user_id, users.role, users.is_active, user_schools.school_id
  from sessions
  join users on users.id = sessions.user_id
  left join user_schools on user_schools.user_id = users.id and user_schools.status = 'active'`);

/** Ends one session: its token is dead from the next request on. */
export async function endSession(trx: Trx, sessionId: number): Promise<void> {
  await trx.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Ends every session of an account. */
export async function endSessionsOf(trx: Trx, userId: number): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).execute();
}

/** Ends every session of the viewer's account but the viewer's own; answers how many. */
export async function endOtherSessions(trx: Trx, viewer: Viewer): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', viewer.userId)
    .where('id', '!=', viewer.sessionId)
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Where the viewer's account is signed in, the last used first. */
export async function ownSessions(deps: Deps, request: Request, viewer: Viewer): Promise<Session[]> {
  const rows = await deps.database.db
    .selectFrom('sessions')
    .select(['id', 'created_at', 'last_used_at', 'agent'])
    .where('user_id', '=', viewer.userId)
    .execute();
  return rows
    .filter((row) => !isOver(row, viewer.role, request.at))
    .toSorted((a, b) =>
      a.last_used_at === b.last_used_at ? b.id - a.id : a.last_used_at < b.last_used_at ? 1 : -1,
    )
    .map((row) => ({
      id: row.id,
      current: row.id === viewer.sessionId,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      device: deviceIn(row.agent) ?? text(deps, messages.unknownDevice),
    }));
}

/** Signs the viewer's account out everywhere else. */
export function signOutElsewhere(deps: Deps, request: Request, viewer: Viewer) {
  return transaction(deps.database, async (trx) => {
    const ended = await endOtherSessions(trx, viewer);
    await record(trx, actorOf(request, viewer), {
      action: 'session.end-others',
      subject: 'user',
      subjectId: viewer.userId,
      after: { ended },
    });
    return { message: text(deps, messages.signedOutOthers) };
  });
}

/** Removes sessions that no lifetime allows any more. */
export async function sweepSessions(trx: Trx, now: Instant): Promise<void> {
  const oldest = instantOf(millisecondsOf(now) - LIFETIMES.user.totalMs);
  await trx.deleteFrom('sessions').where('created_at', '<', oldest).execute();
}

async function touch(db: Db, sessionId: number, at: Instant): Promise<void> {
  try {
    await db.updateTable('sessions').set({ last_used_at: at }).where('id', '=', sessionId).execute();
  } catch (error) {
    // A full disk or a locked file must not keep anybody from reading.
    if (databaseFailure(error) === undefined) throw error;
  }
}

function isOver(session: { created_at: Instant; last_used_at: Instant }, role: Role, now: Instant): boolean {
  const { idleMs, totalMs } = LIFETIMES[role];
  const time = millisecondsOf(now);
  return (
    time - millisecondsOf(session.last_used_at) > idleMs ||
    time - millisecondsOf(session.created_at) > totalMs
  );
}
