import { DISTRICT_SETTING } from '#features/schools/district-settings/server/settings.ts';
import type { Role } from '#features/users/contract.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import { databaseFailure, isTemporaryFailure } from '#server/db/database-errors.ts';
import { grantsIn } from '#server/db/queries/grants.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, type Request, type SignedIn } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { isDistrictAdministrator, type PermissionHolder } from '#shared/permissions.ts';
import { titleOf } from '../../oidc/server/redirects.ts';
import { messages as secondProof } from '../../two-factor/contract.ts';
import { SETTING as DEMAND, mustSetUpTwoFactor } from '../../two-factor/server/requirement.ts';
import { messages, type Session } from '../contract.ts';
import { describeDevice } from './device-name.ts';
import {
  deleteSessionsBefore,
  endOtherSessions,
  endSessionOf,
  findSession,
  insertSession,
  type SessionRow,
  type SignedInBy,
  sessionsOf,
  touchSession,
} from './store.ts';

const HOUR_MS = 3_600_000;

/** The settings that are read along with a session. */
const SETTINGS = { district: DISTRICT_SETTING, demand: DEMAND };

/**
 * The maximum lifetime of a session, without use and in total (security: session lifetime). Administrators and users with a
 * role at a school have shorter sessions.
 */
export const LIFETIMES: Readonly<Record<Role, { idleMs: number; totalMs: number }>> = {
  user: { idleMs: 7 * 24 * HOUR_MS, totalMs: 30 * 24 * HOUR_MS },
  admin: { idleMs: HOUR_MS, totalMs: 12 * HOUR_MS },
};

// Updating "last used" at every request would turn every read into a write.
const TOUCH_EVERY_MS = 60_000;

/** Opens a session and returns its token; only the hash is stored. */
export async function startSession(
  trx: Trx,
  userId: number,
  request: Request,
  way: SignedInBy = { by: 'password' },
): Promise<string> {
  const token = newToken();
  const { at, address, agent } = request;
  await insertSession(trx, { tokenHash: hashToken(token), userId, at, address, agent }, way);
  return token;
}

/**
 * Returns the user of a token; undefined if the token is unknown or expired, or the account is deactivated. Runs at every
 * request, so that an ended session is rejected from the next request on. Reads the settings in the same query.
 */
export async function findViewer(deps: Deps, token: string, request: Request): Promise<SignedIn | undefined> {
  const { db } = deps.database;
  const saw = deps.settings.beginRead();
  const rows = await findSession(db, hashToken(token), SETTINGS);
  const [session] = rows;
  if (session === undefined) {
    await deps.settings.refresh();
    return undefined;
  }
  saw(session.district);
  if (session.is_active === 0) return undefined;
  const grants = grantsIn(session.grants);
  if (isOver(session, { role: session.role, grants }, request.at)) return undefined;
  if (millisecondsOf(request.at) - millisecondsOf(session.last_used_at) > TOUCH_EVERY_MS) {
    await touch(db, session.id, request.at);
  }
  const person = {
    userId: session.user_id,
    sessionId: session.id,
    role: session.role,
    schoolIds: rows.flatMap((row) => (row.school_id === null ? [] : [row.school_id])),
    photosHiddenAt: deps.config.photosSeenBy === 'approved' ? unapprovedSchoolsIn(rows) : [],
    grants,
    provenAt: session.proven_at,
    ...(session.language === null ? {} : { language: session.language }),
  };
  return (await mustSetUpTwoFactor(db, { person, demand: session.demand }, request.at))
    ? { ...person, setUpFirst: secondProof.setUpFirst }
    : person;
}

function unapprovedSchoolsIn(rows: readonly SessionRow[]): number[] {
  return rows.flatMap(({ school_id, is_approved }) =>
    school_id === null || is_approved === 1 ? [] : [school_id],
  );
}

/** The sessions of the viewer's account, most recently used first. */
export async function ownSessions(deps: Deps, { viewer, request }: Acting): Promise<Session[]> {
  const rows = await sessionsOf(deps.database.db, viewer.userId);
  return rows
    .filter((row) => !isOver(row, viewer, request.at))
    .toSorted((a, b) =>
      a.last_used_at === b.last_used_at ? b.id - a.id : a.last_used_at < b.last_used_at ? 1 : -1,
    )
    .map((row) => ({
      id: row.id,
      current: row.id === viewer.sessionId,
      createdAt: row.created_at,
      lastUsedAt: row.last_used_at,
      device: describeDevice(deps, row.agent),
      signedInBy: row.signed_in_by,
      provider: row.provider === null ? null : titleOf(deps, row.provider),
    }));
}

/** Ends the viewer's other sessions. */
export function signOutElsewhere(deps: Deps, { viewer, request }: Acting) {
  return transaction(deps.database, async (trx) => {
    const ended = await endOtherSessions(trx, viewer);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'session.end-others',
      subject: 'user',
      subjectId: viewer.userId,
      after: { ended },
    });
    return { message: translate(deps, messages.signedOutOthers) };
  });
}

/** Ends one of the viewer's sessions, which may be this one. */
export function endOwnSession(deps: Deps, { viewer, request }: Acting, id: number) {
  return transaction(deps.database, async (trx) => {
    const ended = await endSessionOf(trx, viewer.userId, id);
    if (ended === undefined) throw errors.notFound(messages.sessionOver);
    const device = describeDevice(deps, ended.agent);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'session.end-one',
      subject: 'user',
      subjectId: viewer.userId,
    });
    return { message: translate(deps, messages.signedOutOf(device)) };
  });
}

/** Deletes sessions older than the longest lifetime. */
export async function deleteExpiredSessions(trx: Trx, now: Instant): Promise<void> {
  const oldest = plusMilliseconds(now, -LIFETIMES.user.totalMs);
  await deleteSessionsBefore(trx, oldest);
}

async function touch(db: Db, sessionId: number, at: Instant): Promise<void> {
  try {
    await touchSession(db, sessionId, at);
  } catch (error) {
    // A full disk or a locked file must not block reads.
    if (!isTemporaryFailure(databaseFailure(error))) throw error;
  }
}

function isOver(
  session: { created_at: Instant; last_used_at: Instant },
  holder: PermissionHolder,
  now: Instant,
): boolean {
  const hasRights = isDistrictAdministrator(holder) || holder.grants.length > 0;
  const { idleMs, totalMs } = LIFETIMES[hasRights ? 'admin' : 'user'];
  const time = millisecondsOf(now);
  return (
    time - millisecondsOf(session.last_used_at) > idleMs ||
    time - millisecondsOf(session.created_at) > totalMs
  );
}
