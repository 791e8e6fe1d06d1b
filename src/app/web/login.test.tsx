import { QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, getToken } from '#web/api/session.ts';
import { LoginView } from './login.tsx';

const district = {
  districtName: 'Cedar Valley',
  supportEmail: 'help@example.org',
  timeZone: 'UTC',
  today: '2026-03-01',
  schoolYearStart: '2025-07-01',
  registration: 'open',
  languages: ['en'],
  passwordMinLength: 8,
};
const schools = [
  { id: 1, name: 'Lincoln', logoUrl: null },
  { id: 2, name: 'Cedar', logoUrl: null },
];
const ana = { id: 9, firstName: 'Ana', schools: [] };

const fetched = vi.fn<typeof fetch>();
let answers: Record<string, () => Response | Promise<Response>>;

beforeEach(() => {
  answers = {
    '/api/config': () => Response.json(district),
    '/api/schools/public': () => Response.json({ schools }),
    '/api/auth/login': () => Response.json({ user: ana, token: 'abc', message: 'Signed in' }),
    '/api/auth/register': () =>
      Response.json({ user: ana, token: 'abc', message: 'Welcome, Ana!' }, { status: 201 }),
  };
  fetched.mockReset();
  fetched.mockImplementation(async (url) => answers[String(url)]?.() ?? new Response(null, { status: 404 }));
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  vi.useRealTimers();
  endSession();
});

function show(props: Parameters<typeof LoginView>[0] = {}) {
  render(
    <QueryClientProvider client={queryClient}>
      <LoginView {...props} />
    </QueryClientProvider>,
  );
}

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const fill = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const typedIn = (label: string) => screen.getByLabelText<HTMLInputElement>(label).value;
const bodyOf = (path: string): unknown => {
  const found = fetched.mock.calls.find(([url]) => url === path);
  return found === undefined ? undefined : JSON.parse(String(found[1]?.body));
};

describe('the sign-in form', () => {
  beforeEach(() => show());

  test('shows the title, the district and the contact', async () => {
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Volunteer Time Tracker');
    await screen.findByText('Cedar Valley');
    expect(screen.getByRole('link', { name: 'help@example.org' }).getAttribute('href')).toBe(
      'mailto:help@example.org',
    );
  });

  test('starts a session with the returned token', async () => {
    fill('Email', 'ana@example.org');
    fill('Password', 'secret 99');
    press('Sign in');
    await waitFor(() => expect(getToken()).toBe('abc'));
    expect(bodyOf('/api/auth/login')).toEqual({ email: 'ana@example.org', password: 'secret 99' });
  });

  test('requires an email and a password', () => {
    press('Sign in');
    expect(screen.getAllByText('Email and password are required')).not.toHaveLength(0);
    expect(bodyOf('/api/auth/login')).toBeUndefined();
  });

  test.each([
    [
      'Invalid email or password',
      () => Response.json({ error: 'Invalid email or password' }, { status: 401 }),
    ],
    ['Login failed', () => new Response('oops', { status: 500 })],
    ['Network error. Please try again.', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('shows the error "%s" and keeps the password', async (sentence, answer) => {
    answers['/api/auth/login'] = answer;
    fill('Email', 'ana@example.org');
    fill('Password', 'secret 99');
    press('Sign in');
    await screen.findByText(sentence);
    expect(typedIn('Password')).toBe('secret 99');
  });

  test('shows the password on request', () => {
    press('Show password');
    expect(screen.getByLabelText('Password').getAttribute('type')).toBe('text');
  });
});

describe('the registration form', () => {
  beforeEach(() => show());

  const fillIn = async () => {
    press("Don't have an account? Create one");
    fireEvent.click(await screen.findByRole('checkbox', { name: 'Cedar' }));
    fill('First Name', 'Ana');
    fill('Last Name', 'Lopez');
    fill('Email', 'ana@example.org');
    fill('Password', 'secret 99');
    fill('Confirm Password', 'secret 99');
  };

  test('creates an account at the selected schools and signs in', async () => {
    await fillIn();
    press('Create account');
    await waitFor(() => expect(getToken()).toBe('abc'));
    expect(bodyOf('/api/auth/register')).toEqual({
      firstName: 'Ana',
      lastName: 'Lopez',
      email: 'ana@example.org',
      password: 'secret 99',
      schoolIds: [2],
    });
  });

  test.each([
    ['First Name', '', 'First name and last name are required'],
    ['Email', '', 'Email and password are required'],
    ['Confirm Password', 'secret 98', 'Passwords do not match'],
  ])('rejects %s %j with "%s"', async (label, value, sentence) => {
    await fillIn();
    fill(label, value);
    press('Create account');
    expect(screen.getByText(sentence)).toBeDefined();
    expect(bodyOf('/api/auth/register')).toBeUndefined();
  });

  test('requires a school', async () => {
    await fillIn();
    fireEvent.click(screen.getByRole('checkbox', { name: 'Cedar' }));
    press('Create account');
    expect(screen.getByText('Please select at least one school')).toBeDefined();
  });

  test("uses the district's minimum password length", async () => {
    await screen.findByText('Cedar Valley');
    await fillIn();
    expect(screen.getByText('Must be at least 8 characters')).toBeDefined();
    fill('Password', 'seven 7');
    fill('Confirm Password', 'seven 7');
    press('Create account');
    expect(screen.getByText('Password must be at least 8 characters long')).toBeDefined();
  });

  test('shows an error and a retry button if the schools fail to load', async () => {
    answers['/api/schools/public'] = () => Response.json({ error: 'no' }, { status: 404 });
    press("Don't have an account? Create one");
    await screen.findByText('Failed to load schools. Please try again.');
    answers['/api/schools/public'] = () => Response.json({ schools });
    press('Try again');
    await screen.findByRole('checkbox', { name: 'Lincoln' });
  });

  test('shows the contact if there are no schools', async () => {
    answers['/api/schools/public'] = () => Response.json({ schools: [] });
    await screen.findByText('Cedar Valley');
    press("Don't have an account? Create one");
    await screen.findByText('There are no schools yet. Please contact help@example.org.');
  });

  test("shows 'Registration failed' if the reply has no message", async () => {
    answers['/api/auth/register'] = () => new Response('oops', { status: 500 });
    await fillIn();
    press('Create account');
    await screen.findByText('Registration failed');
  });
});

test('switching forms keeps the email, and clears messages and the other fields', async () => {
  show();
  fill('Email', 'ana@example.org');
  press('Sign in');
  expect(screen.getByLabelText('Password').getAttribute('aria-invalid')).toBe('true');
  press("Don't have an account? Create one");
  await screen.findByRole('checkbox', { name: 'Cedar' });
  expect(screen.queryByText('Email and password are required')).toBeNull();
  expect(typedIn('Email')).toBe('ana@example.org');
  fill('First Name', 'Ana');
  press('Already have an account? Sign in');
  press("Don't have an account? Create one");
  expect(typedIn('First Name')).toBe('');
  expect(typedIn('Email')).toBe('ana@example.org');
});

test('every switch between forms moves the focus to the new title', async () => {
  show();
  const hasFocus = (name: string) => document.activeElement === screen.getByRole('heading', { name });
  press("Don't have an account? Create one");
  await waitFor(() => expect(hasFocus('Create your account')).toBe(true));
  press('Already have an account? Sign in');
  await waitFor(() => expect(hasFocus('Sign in')).toBe(true));
  press("Don't have an account? Create one");
  await waitFor(() => expect(hasFocus('Create your account')).toBe(true));
});

describe('the forgotten-password form', () => {
  const sent = 'If an account exists for that email, a reset link has been sent.';
  const atSignIn = () => screen.queryByRole('heading', { name: 'Sign in' }) !== null;

  beforeEach(() => {
    answers['/api/auth/forgot-password'] = () => Response.json({ message: sent });
    show();
    fill('Email', 'ana@example.org');
    press('Forgot your password?');
  });

  test('clears the password typed on the sign-in form', () => {
    press('Back to Sign In');
    expect(typedIn('Password')).toBe('');
    fill('Password', 'a wrong one');
    press('Forgot your password?');
    press('Back to Sign In');
    press("Don't have an account? Create one");
    expect(typedIn('Email')).toBe('ana@example.org');
    expect(typedIn('Password')).toBe('');
  });

  test('is prefilled with the email from the sign-in form, and sends it', async () => {
    expect(typedIn('Email')).toBe('ana@example.org');
    press('Send reset link');
    await screen.findByText(sent);
    expect(bodyOf('/api/auth/forgot-password')).toEqual({ email: 'ana@example.org' });
  });

  test('shows a confirmation for five seconds, then returns to sign-in', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    press('Send reset link');
    // waitFor also advances the fake clock by its interval.
    await vi.waitFor(() => screen.getByText(sent), { interval: 1 });
    act(() => vi.advanceTimersByTime(4_900));
    expect(atSignIn()).toBe(false);
    act(() => vi.advanceTimersByTime(100));
    expect(atSignIn()).toBe(true);
    expect(screen.queryByText(sent)).toBeNull();
    expect(typedIn('Email')).toBe('ana@example.org');
  });

  test('does not return to sign-in later if the user has left its confirmation', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    press('Send reset link');
    await vi.waitFor(() => screen.getByText(sent));
    press('Back to Sign In');
    press("Don't have an account? Create one");
    act(() => vi.advanceTimersByTime(10_000));
    expect(screen.getByRole('heading', { name: 'Create your account' })).toBeDefined();
  });

  test('ignores a reply that arrives after the user left the form', async () => {
    let answer = (_: Response) => {};
    answers['/api/auth/forgot-password'] = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    press('Send reset link');
    press('Back to Sign In');
    await act(async () => answer(Response.json({ message: sent })));
    expect(atSignIn()).toBe(true);
    expect(screen.queryByText(sent)).toBeNull();
  });

  test.each([
    ['Password reset request failed', () => new Response('oops', { status: 500 })],
    ['Network error. Please try again.', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('shows the error "%s"', async (sentence, answer) => {
    answers['/api/auth/forgot-password'] = answer;
    press('Send reset link');
    await screen.findByText(sentence);
  });

  test('requires an email', () => {
    fill('Email', ' ');
    press('Send reset link');
    expect(screen.getByText('Email address is required')).toBeDefined();
    press('Back to Sign In');
    expect(screen.queryByText('Email address is required')).toBeNull();
  });
});

test('registration ends with a notice if the email must be confirmed', async () => {
  const message = 'We sent a link to ana@example.org.';
  answers['/api/auth/register'] = () => Response.json({ message }, { status: 202 });
  show();
  press("Don't have an account? Create one");
  fireEvent.click(await screen.findByRole('checkbox', { name: 'Cedar' }));
  for (const label of ['First Name', 'Last Name']) fill(label, 'Ana');
  fill('Email', 'ana@example.org');
  for (const label of ['Password', 'Confirm Password']) fill(label, 'secret 99');
  press('Create account');
  await screen.findByText(message);
  expect(getToken()).toBeNull();
  press('Back to Sign In');
  expect(typedIn('Password')).toBe('');
});

describe('registration by invitation only', () => {
  const invited = { email: 'ana@example.org', role: 'user', schools: [schools[0]] };

  beforeEach(() => {
    answers['/api/config'] = () => Response.json({ ...district, registration: 'invite' });
    answers['/api/auth/invites/a%2Fb'] = () => Response.json({ invite: invited });
  });

  test('shows the contact instead of the registration button', async () => {
    show();
    await screen.findByText('The district creates new accounts. Please contact help@example.org.');
    expect(screen.queryByRole('button', { name: /Create one/ })).toBeNull();
  });

  test('locks the email and the schools, and sends the invitation code', async () => {
    const onInviteDone = vi.fn();
    show({ inviteCode: 'a/b', onInviteDone });
    await screen.findByText("You're invited to Lincoln.");
    expect(typedIn('Email')).toBe('ana@example.org');
    expect(screen.getByLabelText<HTMLInputElement>('Email').readOnly).toBe(true);
    for (const label of ['First Name', 'Last Name']) fill(label, 'Ana');
    for (const label of ['Password', 'Confirm Password']) fill(label, 'secret 99');
    press('Create account');
    await waitFor(() => expect(getToken()).toBe('abc'));
    expect(bodyOf('/api/auth/register')).toMatchObject({ schoolIds: [1], inviteCode: 'a/b' });
    expect(onInviteDone).toHaveBeenCalledTimes(1);
  });

  test('keeps the invitation while the user switches to sign-in and back', async () => {
    const onInviteDone = vi.fn();
    show({ inviteCode: 'a/b', onInviteDone });
    await screen.findByText("You're invited to Lincoln.");
    press('Already have an account? Sign in');
    press("Don't have an account? Create one");
    await screen.findByText("You're invited to Lincoln.");
    expect(onInviteDone).not.toHaveBeenCalled();
  });

  test('shows an error for an invalid invitation, and discards the invitation', async () => {
    const onInviteDone = vi.fn();
    const error = 'This invitation is invalid or has expired. Please ask for a new one.';
    answers['/api/auth/invites/a%2Fb'] = () => Response.json({ error }, { status: 400 });
    show({ inviteCode: 'a/b', onInviteDone });
    await screen.findByText(error);
    press('Back to Sign In');
    expect(onInviteDone).toHaveBeenCalledTimes(1);
  });

  test('offers to retry an invitation after a network failure', async () => {
    answers['/api/auth/invites/a%2Fb'] = () => Promise.reject(new TypeError('Failed to fetch'));
    show({ inviteCode: 'a/b' });
    await screen.findByText("We couldn't check your invitation. Please try again.");
    answers['/api/auth/invites/a%2Fb'] = () => Response.json({ invite: invited });
    press('Try again');
    await screen.findByText("You're invited to Lincoln.");
  });
});
