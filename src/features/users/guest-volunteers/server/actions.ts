import { recordEvents } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { linkTo } from '#server/email/email.ts';
import { queueEmail } from '#server/email/outbox.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { lockLegalHolds, usersUnderLegalHold } from '#server/personal-data/legal-hold-store.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { type Account, messages, type UserChange } from '../../admin-contract.ts';
import { LINKS } from '../../contract.ts';
import { permissionProblem } from '../../server/account-permissions.ts';
import { countRecordsOf, deleteAccount, findAdminUser } from '../../server/admin-users-store.ts';
import { welcomeEmail } from '../../server/emails.ts';
import { shareableLink } from '../../server/shareable-link.ts';
import { signIns } from '../../server/sign-in-hooks.ts';
import { lockUser } from '../../server/store.ts';
import type { GuestVolunteerInput } from '../contract.ts';
import { insertGuestVolunteers } from './store.ts';

const HOUR_MS = 3_600_000;

/** The `kind` of the email with the link of a new account. */
export const WELCOME = 'welcome';

/**
 * Adds people on a paper sign-in sheet as members of the school who cannot sign in. Does not check permissions; the caller must
 * check that the viewer may log hours for others. Returns the IDs in the given order.
 */
export async function addGuestVolunteers(
  trx: Trx,
  acting: Acting,
  schoolId: number,
  people: readonly GuestVolunteerInput[],
): Promise<number[]> {
  if (people.length === 0) return [];
  const walkIns = people.map(({ email, ...names }) => ({ ...names, email: email ?? '' }));
  const ids = await insertGuestVolunteers(trx, walkIns, { schoolId, at: acting.request.at });
  const deeds = ids.map((id, at) => ({
    action: 'account.create',
    subject: 'user',
    subjectId: id,
    after: { ...walkIns[at], isWalkIn: true, schoolIds: [schoolId] },
  }));
  await recordEvents(trx, actorOf(acting.viewer, acting.request), deeds);
  return ids;
}

/**
 * Deletes those guest volunteers who have no records left and may be deleted by the viewer, unless they were invited meanwhile
 * or are under a legal hold. Returns how many.
 */
export async function removeGuestVolunteers(
  trx: Trx,
  acting: Acting,
  ids: readonly number[],
): Promise<number> {
  if (ids.length === 0) return 0;
  await lockLegalHolds(trx);
  const held = await usersUnderLegalHold(trx, ids);
  const deeds = [];
  for (const id of ids) {
    await lockUser(trx, id);
    const user = await findAdminUser(trx, id);
    if (user?.isWalkIn !== true || held.has(id)) continue;
    if (permissionProblem(acting.viewer, 'deletion', user) !== undefined) continue;
    const counted = await countRecordsOf(trx, id);
    if (Object.values(counted).some((count) => count > 0)) continue;
    const { firstName, lastName, email } = user;
    const trash = await deleteAccount(trx, id);
    const before = { firstName, lastName, email, trash };
    deeds.push({ action: 'account.delete', subject: 'user', subjectId: id, before });
  }
  await recordEvents(trx, actorOf(acting.viewer, acting.request), deeds);
  return deeds.length;
}

/** Rejects fields that only an account with sign-in can have. */
export function rejectForGuestVolunteer(user: Account, { password, role, grants }: UserChange): void {
  if (!user.isWalkIn) return;
  const opens = (password ?? '') !== '' || (role ?? 'user') !== 'user' || (grants ?? []).length > 0;
  if (opens) throw errors.conflict(messages.walkInFirst);
}

/**
 * Emails a new account the link to choose a password. Returns the link to pass on if no mail server is configured; otherwise
 * null.
 */
export async function welcome(trx: Trx, deps: Deps, acting: Acting, user: Account): Promise<string | null> {
  const { request } = acting;
  const isShown = deps.config.smtpUrl === undefined;
  const token = await signIns().createPasswordLink(trx, user.id, request.at, LINKS.welcomeHours, isShown);
  await queueEmail(trx, deps, {
    kind: WELCOME,
    userId: user.id,
    letter: welcomeEmail(deps, { ...user, isProven: true }, token),
    at: request.at,
    expiresAt: plusMilliseconds(request.at, LINKS.welcomeHours * HOUR_MS),
  });
  return shareableLink(deps, acting, () => linkTo(deps, 'token', token));
}
