import { describe, expect, it, test } from 'vitest';
import {
  emailKey,
  InviteInput,
  LIMITS,
  messages,
  ProfileInput,
  passwordProblem,
  RegisterInput,
} from './contract.ts';

describe('passwordProblem', () => {
  test.each([
    ['rejects a password that is too short', 'abcde', messages.passwordTooShort(6)],
    ['accepts the minimum length', 'abcdef', undefined],
    ['accepts the minimum length in surrogate pairs', '🌻🌻🌻🌻🌻🌻', undefined],
    ['counts a surrogate pair as one character', '🌻🌻🌻', messages.passwordTooShort(6)],
    ['accepts the maximum length', 'x'.repeat(LIMITS.password), undefined],
    ['rejects a password that is too long', 'x'.repeat(LIMITS.password + 1), messages.passwordTooLong],
  ])('%s', (_, password, problem) => {
    expect(passwordProblem(password, 6)).toBe(problem);
  });
});

test('emailKey ignores case and surrounding spaces', () => {
  expect(emailKey(' Vera@Maple.Example ')).toBe('vera@maple.example');
});

/** The first thing that is said of each field at fault. */
function saidOf(input: { safeParse: (given: unknown) => { error?: unknown } }, given: unknown) {
  const { issues = [] } = (input.safeParse(given).error ?? {}) as {
    issues?: { path: unknown[]; message: string }[];
  };
  const said: Record<string, string> = {};
  for (const { path, message } of issues) said[String(path[0])] ??= message;
  return said;
}

const vera = {
  email: 'vera@maple.example',
  password: 'x',
  firstName: 'Vera',
  lastName: 'Volt',
  schoolIds: [1],
};

describe('RegisterInput', () => {
  it('accepts the form’s values and trims spaces', () => {
    expect(RegisterInput.parse({ ...vera, email: ' vera@maple.example ', firstName: ' Vera ' })).toEqual(
      vera,
    );
    expect(RegisterInput.parse({ ...vera, inviteCode: 'abc' })).toEqual({ ...vera, inviteCode: 'abc' });
  });

  test.each([
    ['a missing address', { email: undefined }, { email: messages.emailAndPasswordRequired }],
    ['a blank address', { email: '  ' }, { email: messages.emailAndPasswordRequired }],
    ['an address without an at sign', { email: 'vera' }, { email: messages.emailInvalid }],
    [
      'an address with nothing before the at sign',
      { email: '@maple.example' },
      { email: messages.emailInvalid },
    ],
    ['an address with nothing after the at sign', { email: 'vera@' }, { email: messages.emailInvalid }],
    ['an address with a space', { email: 've ra@maple.example' }, { email: messages.emailInvalid }],
    ['two addresses', { email: 'a@b.example,c@d.example' }, { email: messages.emailInvalid }],
    ['a name before the address', { email: 'Vera <vera@maple.example>' }, { email: messages.emailInvalid }],
    [
      'an address that is too long',
      { email: `${'x'.repeat(242)}@maple.example` },
      { email: messages.emailInvalid },
    ],
    ['a missing password', { password: undefined }, { password: messages.emailAndPasswordRequired }],
    ['an empty password', { password: '' }, { password: messages.emailAndPasswordRequired }],
    ['a blank first name', { firstName: ' ' }, { firstName: messages.namesRequired }],
    ['a missing last name', { lastName: undefined }, { lastName: messages.namesRequired }],
    ['an empty list of schools', { schoolIds: [] }, { schoolIds: messages.schoolRequired }],
    ['school ids that are not numbers', { schoolIds: ['1'] }, { schoolIds: messages.schoolRequired }],
    ['schools that are not a list', { schoolIds: 1 }, { schoolIds: messages.schoolRequired }],
    ['too many schools', { schoolIds: Array(101).fill(1) }, { schoolIds: messages.schoolRequired }],
    ['an invitation code that is not text', { inviteCode: 1 }, { inviteCode: messages.wrongInvite }],
  ])('rejects %s with a message at that field', (_, change, said) => {
    expect(saidOf(RegisterInput, { ...vera, ...change })).toEqual(said);
  });

  test.each([
    'x:v@a.b',
    'v@a.b(',
    '(x)v@a.b',
    'v(x)@a.b',
    'v@[10.0.0.1]',
    'v\\@a.b',
    'v@a.b.',
    'v@a..b',
    '"v"@a.b',
  ])('rejects the address %s', (email) => {
    expect(saidOf(RegisterInput, { ...vera, email })).toEqual({ email: messages.emailInvalid });
  });

  test.each([
    "o'hara.v+hours@maple.example",
    'véra_1@schüle.example',
    'v&w=x!@sub-1.maple.example',
    'v@localhost',
  ])('accepts the address %s', (email) => {
    expect(saidOf(RegisterInput, { ...vera, email })).toEqual({});
  });

  it('accepts an address of the maximum length and the maximum number of schools', () => {
    const longest = { email: `${'x'.repeat(240)}@maple.example`, schoolIds: Array(100).fill(1) };
    expect(saidOf(RegisterInput, { ...vera, ...longest })).toEqual({});
  });
});

describe('other account forms', () => {
  test.each([
    ['a profile without a name', ProfileInput, { firstName: '' }, { firstName: messages.namesRequired }],
    ['a profile without an address', ProfileInput, { email: '' }, { email: messages.emailRequired }],
    [
      'an invitation without an address',
      InviteInput,
      { email: '', schoolIds: [1] },
      { email: messages.inviteEmailRequired },
    ],
    [
      'an invitation without a school',
      InviteInput,
      { email: vera.email, schoolIds: [] },
      { schoolIds: messages.schoolRequired },
    ],
  ])('reject %s', (_, form, given, said) => {
    expect(saidOf(form, given)).toEqual(said);
  });

  it('accept a profile without changes or without schools', () => {
    expect(ProfileInput.parse({})).toEqual({});
    expect(ProfileInput.parse({ schoolIds: [] })).toEqual({ schoolIds: [] });
  });
});
