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
    'sign-in without an address',
    LoginInput,
    { password: 'x' },
    { email: accountMessages.emailAndPasswordRequired },
  ],
  [
    'sign-in without a password',
    LoginInput,
    { email: 'v' },
    { password: accountMessages.emailAndPasswordRequired },
  ],
  [
    'sign-in with an address too long',
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
  [
    'a forgotten password without an address',
    ForgotInput,
    { email: ' ' },
    { email: accountMessages.emailRequired },
  ],
  [
    'a forgotten password with an address too long',
    ForgotInput,
    { email: 'x'.repeat(255) },
    { email: accountMessages.emailInvalid },
  ],
  [
    'a change of password without the current one',
    ChangePasswordInput,
    { currentPassword: '', newPassword: 'x' },
    { currentPassword: messages.currentPasswordRequired },
  ],
  [
    'a change of password without a new one',
    ChangePasswordInput,
    { currentPassword: 'x' },
    { newPassword: messages.newPasswordTooShort(6) },
  ],
])('rejects %s', (_, form, given, said) => {
  expect(saidOf(form, given)).toEqual(said);
});

test('a rejected new password gets the message of the change form', () => {
  expect(changedPasswordProblem('abc', 6)).toBe(messages.newPasswordTooShort(6));
  expect(changedPasswordProblem('x'.repeat(201), 6)).toBe(accountMessages.passwordTooLong);
  expect(changedPasswordProblem('abcdef', 6)).toBeUndefined();
});
