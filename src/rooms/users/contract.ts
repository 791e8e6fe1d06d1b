import * as z from 'zod/mini';
import { Instant } from '#base/calendar-date.ts';
import { endpoint } from '#base/endpoint.ts';
import { Id, idOr } from '#base/id.ts';
import { sayFrom } from '#base/message.ts';
import { clean, requiredText } from '#base/text.ts';
import { PublicSchool } from '#rooms/schools/contract.ts';
import type text from './text.en.json';

const say = sayFrom<typeof text>('users');

/** Lengths, in characters. An e-mail address has at most 254 (RFC 5321). */
export const LIMITS = { name: 60, email: 254, password: 200 } as const;

/** Sentences of this room (specification sections 2, 5 and 8). */
export const messages = {
  emailAndPasswordRequired: say('emailAndPasswordRequired'),
  emailRequired: say('emailRequired'),
  emailInvalid: say('emailInvalid'),
  namesRequired: say('namesRequired'),
  schoolRequired: say('schoolRequired'),
  passwordTooShort: (min: number) => say('passwordTooShort', { min }),
  passwordTooLong: say('passwordTooLong', { max: LIMITS.password }),
  passwordTooCommon: say('passwordTooCommon'),
  passwordsDiffer: say('passwordsDiffer'),
  passwordHint: (min: number) => say('passwordHint', { min }),
  wrongLogin: say('wrongLogin'),
  emailTaken: say('emailTaken'),
  loggedIn: say('loggedIn'),
  registered: (firstName: string) => say('registered', { firstName }),
  registrationClosed: (email: string) => say('registrationClosed', { email }),
  loginFailed: say('loginFailed'),
  registrationFailed: say('registrationFailed'),
  invalidResetToken: say('invalidResetToken'),
  noResetToken: say('noResetToken'),
  failedToVerifyToken: say('failedToVerifyToken'),
  failedToReset: say('failedToReset'),
  passwordReset: say('passwordReset'),
  busy: say('busy'),
} as const;

/** What an account may do: administrators run the district, users volunteer (specification section 6). */
export const ROLES = ['user', 'admin'] as const;
export const Role = z.enum(ROLES);
export type Role = z.infer<typeof Role>;

/** An account as its owner sees it; `schools` are the ones joined. One shape wherever a `user` is answered whole. */
export const User = z.object({
  id: Id,
  email: z.string(),
  firstName: z.string(),
  lastName: z.string(),
  role: Role,
  isActive: z.boolean(),
  createdAt: Instant,
  lastLogin: z.nullable(Instant),
  schools: z.array(PublicSchool),
});
export type User = z.infer<typeof User>;

/** A person beside an entry, a photo or a suggestion. */
export const PersonRef = z.object({ id: Id, firstName: z.string(), lastName: z.string() });
export type PersonRef = z.infer<typeof PersonRef>;

/** What is wrong with a new password, or nothing. `min` is the district's setting (specification section 5: 6). */
export function passwordProblem(password: string, min: number) {
  if ([...password].length < min) return messages.passwordTooShort(min);
  if (password.length > LIMITS.password) return messages.passwordTooLong;
  return undefined;
}

/** An e-mail address as it is compared: addresses that differ only in case are one. */
export function emailKey(email: string): string {
  return clean(email).toLowerCase();
}

const Email = z.pipe(
  z.string(messages.emailAndPasswordRequired),
  z.pipe(
    z.transform(clean),
    z
      .string()
      .check(
        z.minLength(1, { error: messages.emailAndPasswordRequired, abort: true }),
        z.maxLength(LIMITS.email, { error: messages.emailInvalid, abort: true }),
        z.regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, messages.emailInvalid),
      ),
  ),
);

const GivenPassword = z
  .string(messages.emailAndPasswordRequired)
  .check(z.minLength(1, messages.emailAndPasswordRequired));

/** Sign in. The address is not checked for form: a wrong one is simply not known. */
export const LoginInput = z.object({
  email: requiredText(LIMITS.email, messages.emailAndPasswordRequired, messages.wrongLogin),
  password: GivenPassword,
});

/** A new volunteer. The password's length is the district's setting and checked by `passwordProblem`. */
export const RegisterInput = z.object({
  email: Email,
  password: GivenPassword,
  firstName: requiredText(LIMITS.name, messages.namesRequired),
  lastName: requiredText(LIMITS.name, messages.namesRequired),
  schoolIds: z
    .array(idOr(messages.schoolRequired), messages.schoolRequired)
    .check(z.minLength(1, messages.schoolRequired), z.maxLength(100, messages.schoolRequired)),
});
export type RegisterInput = z.infer<typeof RegisterInput>;

/** A new password with the token of a mailed or printed link. */
export const ResetInput = z.object({
  token: z.string(messages.noResetToken).check(z.minLength(1, messages.noResetToken)),
  newPassword: z.string(messages.passwordTooShort(6)),
});

const signedIn = z.object({ user: User, token: z.string(), message: z.string() });

export const login = endpoint('POST', '/auth/login', { body: LoginInput, reply: signedIn });

export const register = endpoint('POST', '/auth/register', {
  body: RegisterInput,
  reply: signedIn,
  status: 201,
});

/** Ends this session: its token is dead from then on. */
export const logout = endpoint('POST', '/auth/logout', { status: 204 });

export const getProfile = endpoint('GET', '/profile', { reply: z.object({ user: User }) });

export const verifyResetToken = endpoint('GET', '/auth/verify-reset-token/:token', {
  params: z.object({ token: z.string() }),
  reply: z.object({ user: z.object({ firstName: z.string(), email: z.string() }) }),
});

/** Sets the password; the link works once and every session of the account ends. */
export const resetPassword = endpoint('POST', '/auth/reset-password', {
  body: ResetInput,
  reply: z.object({ message: z.string() }),
});
