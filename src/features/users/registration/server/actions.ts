import type * as z from 'zod/mini';
import { schoolsExist } from '#features/schools/server/actions.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { consumeAttempt, REGISTRATIONS } from '#server/http/rate-limit.ts';
import type { Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashPassword } from '#server/passwords.ts';
import { errors } from '#shared/errors.ts';
import { emailKey, messages, type RegisterInput, type SignedInReply } from '../../contract.ts';
import { findOpenInvite, redeemInvitation } from '../../invitations/server/actions.ts';
import type { OpenInvite } from '../../invitations/server/store.ts';
import { rejectWithoutInvitation } from '../../memberships/server/school-names.ts';
import { ownUser } from '../../server/current-account.ts';
import { queueAddressTakenEmail, queueConfirmationEmail } from '../../server/email-confirmation.ts';
import { canEmail } from '../../server/email-limits.ts';
import { checkNewPassword } from '../../server/password-rules.ts';
import { signIns } from '../../server/sign-in-hooks.ts';
import { findCredentials, insertJoins, insertUser, type Joins, markSignedIn } from '../../server/store.ts';
import { rejectTakenEmail, throwEmailTaken } from '../../server/unique-email.ts';
import { recordRegistration } from './audit.ts';

/**
 * The result of the steps before the transaction: the password hash, and whether an email may be sent. There is no hash if the
 * password is chosen through the emailed link.
 */
export type PreparedRegistration = Readonly<{ passwordHash: string | null; mayWrite: boolean }>;

/**
 * Applies throttling and the registration rules, and hashes the password. Invitation mode requires a code (decisions:
 * registration).
 */
export async function prepareRegistration(
  deps: Deps,
  request: Request,
  input: RegisterInput,
): Promise<PreparedRegistration> {
  const { registration, supportEmail } = deps.config;
  if (registration === 'invite' && input.inviteCode === undefined) {
    throw errors.forbidden(messages.registrationClosed(supportEmail));
  }
  const isByMail = needsConfirmation(deps, input);
  if (!isByMail) checkNewPassword(deps, input.password, 'password');
  await consumeAttempt(
    deps.database,
    [{ key: `registrations:${networkOf(request.address)}`, policy: REGISTRATIONS }],
    request.at,
  );
  if (input.inviteCode !== undefined) {
    await requireInvite(await findOpenInvite(deps.database.db, input.inviteCode, request.at), input);
  }
  const isWritten = isByMail || (registration === 'approval' && input.inviteCode === undefined);
  return {
    mayWrite: isWritten && (await canEmail(deps, request, input.email, undefined)),
    passwordHash: isByMail ? null : await hashPassword(input.password),
  };
}

/**
 * Creates a volunteer's account at the chosen schools and signs it in. A role in the body has no effect. In `verify-email` mode
 * without an invitation code, it only emails a link, with the same reply whether or not the address has an account.
 */
export async function registerVolunteer(
  trx: Trx,
  deps: Deps,
  request: Request,
  { input, prepared }: { input: RegisterInput; prepared: PreparedRegistration },
): Promise<z.infer<typeof SignedInReply> | { message: string }> {
  const schoolIds = [...new Set(input.schoolIds)];
  if (!(await schoolsExist(trx, schoolIds))) {
    throw errors.invalid(messages.schoolRequired, { schoolIds: messages.schoolRequired });
  }
  if (needsConfirmation(deps, input)) {
    if (prepared.mayWrite) await emailRegistrationLink(trx, deps, request, { ...input, schoolIds });
    return { message: translate(deps, messages.checkMail(input.email)) };
  }
  const invite =
    input.inviteCode === undefined
      ? undefined
      : await requireInvite(await findOpenInvite(trx, input.inviteCode, request.at), input);
  const joins = await planJoins(trx, deps, schoolIds, invite);
  const id = await insertVolunteer(trx, input, prepared.passwordHash, request, invite);
  if (invite !== undefined) await redeemInvitation(trx, invite, id, request.at);
  await insertJoins(trx, id, joins, request.at);
  // Approvers see whether the address is confirmed.
  if (prepared.mayWrite) await queueConfirmationEmail(trx, deps, request, { email: input.email, userId: id });
  await markSignedIn(trx, id, request.at);
  return signedIn(trx, deps, request, id);
}

function needsConfirmation(deps: Deps, input: RegisterInput): boolean {
  return deps.config.registration === 'verify-email' && input.inviteCode === undefined;
}

async function requireInvite(invite: OpenInvite | undefined, input: RegisterInput): Promise<OpenInvite> {
  if (invite === undefined) throw errors.invalid(messages.wrongInvite, { inviteCode: messages.wrongInvite });
  // The code only proves access to the mailbox of the invited address.
  if (invite.emailKey !== emailKey(input.email)) {
    throw errors.invalid(messages.inviteForAnother, { email: messages.inviteForAnother });
  }
  return invite;
}

// Writes the same number of rows whether or not the address has an account.
async function emailRegistrationLink(
  trx: Trx,
  deps: Deps,
  request: Request,
  input: RegisterInput,
): Promise<void> {
  const known = await findCredentials(trx, input.email);
  if (known !== undefined) return queueAddressTakenEmail(trx, deps, request, { known, isMove: false });
  await queueConfirmationEmail(trx, deps, request, { email: input.email, newAccount: input });
}

async function planJoins(
  trx: Trx,
  deps: Deps,
  schoolIds: readonly number[],
  invite: OpenInvite | undefined,
): Promise<Joins> {
  const invited = schoolIds.filter((id) => invite?.schoolIds.includes(id) === true);
  const others = schoolIds.filter((id) => !invited.includes(id));
  if (deps.config.registration === 'invite') await rejectWithoutInvitation(trx, deps, others);
  return deps.config.registration === 'approval'
    ? { invited, atOnce: [], later: others }
    : { invited, atOnce: others, later: [] };
}

async function insertVolunteer(
  trx: Trx,
  input: RegisterInput,
  passwordHash: string | null,
  request: Request,
  invite: OpenInvite | undefined,
): Promise<number> {
  await rejectTakenEmail(trx, input.email);
  const { email, firstName, lastName, language } = input;
  const role = invite?.role ?? 'user';
  const isVerified = invite?.isShown === false;
  const said = { email, firstName, lastName, role, isActive: true };
  const vouchedBy = invite?.invitedBy ?? null;
  const user = { ...said, passwordHash, at: request.at, isVerified, vouchedBy, language };
  return insertUser(trx, user).catch(throwEmailTaken);
}

async function signedIn(
  trx: Trx,
  deps: Deps,
  request: Request,
  id: number,
): Promise<z.infer<typeof SignedInReply>> {
  const user = await ownUser(trx, id);
  await recordRegistration(trx, request, id);
  const token = await signIns().startFirstSession(trx, deps, request, id);
  const say = user.schools.length > 0 ? messages.registered : messages.registeredPending;
  return { user, token, message: translate(deps, say(user.firstName)) };
}
