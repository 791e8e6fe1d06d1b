import { expect, test } from 'vitest';
import { messages as accountMessages } from '#features/users/contract.ts';
import {
  ChangePasswordInput,
  changedPasswordProblem,
  ForgotInput,
  LoginInput,
  messages,
  ResetInput,
} from './contract.ts';

/** The first thing that is said of each field at fault. */
function saidOf(input: { safeParse: (given: unknown) => { error?: unknown } }, given: unknown) {
  const { issues = [] } = (input.safeParse(given).error ?? {}) as {
    issues?: { path: unknown[]; message: string }[];
  };
  const said: Record<string, string> = {};
  for (const { path, message } of issues) said[String(path[0])] ??= message;
  return said;
}

test.each([
  [
    'a sign-in without an email',
    LoginInput,
    { password: 'x' },
    { email: accountMessages.emailAndPasswordRequired },
  ],
  [
    'a sign-in without a password',
    LoginInput,
    { email: 'v' },
    { password: accountMessages.emailAndPasswordRequired },
  ],
  [
    'a sign-in with an email that is too long',
    LoginInput,
    { email: 'x'.repeat(255), password: 'x' },
    { email: messages.wrongLogin },
  ],
  [
    'a reset without its token',
    ResetInput,
    { token: '', newPassword: 'x' },
    { token: messages.noResetToken },
  ],
  [
    'a reset without a password',
    ResetInput,
    { token: 't' },
    { newPassword: accountMessages.passwordTooShort(6) },
  ],
  ['a reset request without an email', ForgotInput, { email: ' ' }, { email: accountMessages.emailRequired }],
  [
    'a reset request with an email that is too long',
    ForgotInput,
    { email: 'x'.repeat(255) },
    { email: accountMessages.emailInvalid },
  ],
  [
    'a password change without the current password',
    ChangePasswordInput,
    { currentPassword: '', newPassword: 'x' },
    { currentPassword: messages.currentPasswordRequired },
  ],
  [
    'a password change without a new password',
    ChangePasswordInput,
    { currentPassword: 'x' },
    { newPassword: messages.newPasswordTooShort(6) },
  ],
])('validation rejects %s', (_, form, given, said) => {
  expect(saidOf(form, given)).toEqual(said);
});

test('a new password that is too short or too long is rejected with a message', () => {
  expect(changedPasswordProblem('abc', 6)).toBe(messages.newPasswordTooShort(6));
  expect(changedPasswordProblem('x'.repeat(201), 6)).toBe(accountMessages.passwordTooLong);
  expect(changedPasswordProblem('abcdef', 6)).toBeUndefined();
});
