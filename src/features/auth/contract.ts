import * as z from 'zod/mini';
import {
  messages as accountMessages,
  LIMITS,
  MessageReply,
  passwordProblem,
  RequiredPassword,
  SignedInReply,
} from '#features/users/contract.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { requiredText } from '#shared/text-normalization.ts';
import type text from './messages.en.json';
import type serverText from './messages.server.en.json';
import type volunteerText from './messages.volunteer.en.json';

const say = messageFactory<typeof text>('auth');
const ofServer = messageFactory<typeof serverText>('auth');
const ofVolunteers = messageFactory<typeof volunteerText>('auth');

/** Messages about signing in and passwords (specification section 5). */
export const messages = {
  wrongLogin: say('wrongLogin'),
  loginFailed: say('loginFailed'),
  loggedIn: ofServer('loggedIn'),
  invalidResetToken: say('invalidResetToken'),
  noResetToken: say('noResetToken'),
  failedToVerifyToken: say('failedToVerifyToken'),
  failedToReset: say('failedToReset'),
  passwordReset: say('passwordReset'),
  resetSent: ofServer('resetSent'),
  resetRequestFailed: say('resetRequestFailed'),
  currentPasswordRequired: ofVolunteers('currentPasswordRequired'),
  currentPasswordWrong: ofServer('currentPasswordWrong'),
  newPasswordTooShort: (min: number) => ofVolunteers('newPasswordTooShort', { min }),
  newPasswordsDiffer: ofVolunteers('newPasswordsDiffer'),
  passwordChanged: ofServer('passwordChanged'),
} as const;

/** Like `passwordProblem`, with the messages of the change-password form (specification section 5). */
export function changedPasswordProblem(password: string, min: number) {
  const problem = passwordProblem(password, min);
  return problem === accountMessages.passwordTooShort(min) ? messages.newPasswordTooShort(min) : problem;
}

/** Sign in. The address format is not checked: a malformed one is simply unknown. */
export const LoginInput = z.object({
  email: requiredText(LIMITS.email, accountMessages.emailAndPasswordRequired, messages.wrongLogin),
  password: RequiredPassword,
});

/** A new password with the token of an emailed or printed link. */
export const ResetInput = z.object({
  token: z.string(messages.noResetToken).check(z.minLength(1, messages.noResetToken)),
  newPassword: z.string(accountMessages.passwordTooShort(6)),
});

/** Requests a reset link. The address format is not checked: a malformed one is simply unknown. */
export const ForgotInput = z.object({
  email: requiredText(LIMITS.email, accountMessages.emailRequired, accountMessages.emailInvalid),
});

/** A new password set by a signed-in user. Its minimum length is the district's setting: `changedPasswordProblem`. */
export const ChangePasswordInput = z.object({
  currentPassword: z
    .string(messages.currentPasswordRequired)
    .check(z.minLength(1, messages.currentPasswordRequired)),
  newPassword: z.string(messages.newPasswordTooShort(6)),
});

/**
 * The reply to a correct password if the account has a second factor; `POST /auth/second-factor` continues with the challenge.
 */
export const SecondFactorRequest = z.object({ next: z.literal('second-factor'), challenge: z.string() });

export type SecondFactorRequest = z.infer<typeof SecondFactorRequest>;

export const login = endpoint('POST', '/auth/login', {
  body: LoginInput,
  reply: z.union([SignedInReply, SecondFactorRequest]),
  isLong: true,
  isRepeatable: true,
});

/** Returns the same reply in the same time, whether or not the address has an account. */
export const forgotPassword = endpoint('POST', '/auth/forgot-password', {
  body: ForgotInput,
  reply: MessageReply,
});

/** Ends the account's other sessions and keeps this one. */
export const changePassword = endpoint('PUT', '/auth/change-password', {
  isLong: true,
  body: ChangePasswordInput,
  reply: MessageReply,
});

/** Ends this session; its token no longer works. */
export const logout = endpoint('POST', '/auth/logout', { status: 204, isForSettingUp: true });

/**
 * Ends this session like `logout`, and is used if providers are configured. `to` is the provider's sign-out URL for this user,
 * or null.
 */
export const logoutElsewhere = endpoint('POST', '/auth/oidc/sign-out', {
  isForSettingUp: true,
  reply: z.object({ to: z.nullable(z.string()) }),
});

export const verifyResetToken = endpoint('GET', '/auth/verify-reset-token/:token', {
  params: z.object({ token: z.string() }),
  reply: z.object({ user: z.object({ firstName: z.string(), email: z.string() }) }),
});

/** Sets the password. The link works once, and every session of the account ends. */
export const resetPassword = endpoint('POST', '/auth/reset-password', {
  isLong: true,
  body: ResetInput,
  reply: MessageReply,
});
