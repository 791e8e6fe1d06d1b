import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { getToken, startSession } from '#web/api/session.ts';
import { storedSignInProgress } from '#web/api/sign-in-progress.ts';
import { ResetPasswordView } from './reset-password.tsx';

type Answer = () => Response | Promise<Response>;

const fetched = vi.fn<typeof fetch>();
let verify: Answer;
let reset: Answer;
let login: Answer;

beforeEach(() => {
  verify = () => Response.json({ user: { firstName: 'Maria', email: 'maria@example.org' } });
  reset = () => Response.json({ message: 'Your password has been set. You can sign in now.' });
  login = () => Response.json({ token: 'new', user: { id: 1, firstName: 'Maria' } });
  fetched.mockReset();
  fetched.mockImplementation(async (url) => {
    if (String(url).startsWith('/api/auth/verify-reset-token/')) return verify();
    if (url === '/api/auth/reset-password') return reset();
    if (url === '/api/auth/login') return login();
    return Response.json({
      districtName: 'Cedar Valley',
      languages: ['en'],
      supportEmail: 'help@example.org',
      passwordMinLength: 6,
    });
  });
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function show(token = 'a/b') {
  const onBack = vi.fn();
  render(
    <QueryClientProvider client={queryClient}>
      <ResetPasswordView token={token} onBack={onBack} />
    </QueryClientProvider>,
  );
  return onBack;
}

async function setPassword(password: string, again = password) {
  fireEvent.change(await screen.findByLabelText('New Password'), { target: { value: password } });
  fireEvent.change(screen.getByLabelText('Confirm Password'), { target: { value: again } });
  fireEvent.click(screen.getByRole('button', { name: 'Set password' }));
}

const isReset = () => fetched.mock.calls.some(([url]) => url === '/api/auth/reset-password');

test('the reset screen checks the link first and offers a way back', () => {
  const onBack = show();
  expect(screen.getByRole('status').textContent).toContain('Checking your link...');
  fireEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }));
  expect(onBack).toHaveBeenCalledTimes(1);
});

test('the reset form greets the user by first name and sets the password', async () => {
  startSession('old');
  show();
  await screen.findByText(/Hello Maria/);
  await setPassword('secret 99');
  await screen.findByText('Your password has been set. You can sign in now.');
  const [, request] = fetched.mock.calls.find(([url]) => url === '/api/auth/reset-password') ?? [];
  expect(JSON.parse(String(request?.body))).toEqual({ token: 'a/b', newPassword: 'secret 99' });
  expect(getToken()).toBeNull();
  expect(document.activeElement?.textContent).toBe('Password set');
  // Only the password is left to type on the sign-in page.
  expect(storedSignInProgress().email).toBe('maria@example.org');
});

test('one click after the reset signs in with the new password', async () => {
  const onBack = show();
  await setPassword('secret 99');
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  await vi.waitFor(() => expect(onBack).toHaveBeenCalledTimes(1));
  const [, request] = fetched.mock.calls.find(([url]) => url === '/api/auth/login') ?? [];
  expect(JSON.parse(String(request?.body))).toEqual({ email: 'maria@example.org', password: 'secret 99' });
  expect(getToken()).toBe('new');
});

test('signing in after the reset asks for the second factor if the account has one', async () => {
  login = () => Response.json({ next: 'second-factor', challenge: 'c' });
  const onBack = show();
  await setPassword('secret 99');
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  await screen.findByRole('heading', { name: 'Enter your code' });
  expect(onBack).not.toHaveBeenCalled();
});

test('a rejected sign-in after the reset shows the error and a way back', async () => {
  login = () => Response.json({ error: 'Too many attempts' }, { status: 429 });
  const onBack = show();
  await setPassword('secret 99');
  fireEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  await screen.findByText('Too many attempts');
  fireEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }));
  expect(onBack).toHaveBeenCalledTimes(1);
});

test.each([
  ['five5', 'five5', 'Password must be at least 6 characters long'],
  ['', '', 'Password must be at least 6 characters long'],
  ['secret 99', 'secret 98', 'Passwords do not match'],
])('the passwords %j and %j are rejected with "%s"', async (password, again, sentence) => {
  show();
  await setPassword(password, again);
  expect(screen.getByText(sentence)).toBeDefined();
  expect(isReset()).toBe(false);
});

test.each<[string, Answer]>([
  [
    'Invalid or expired reset token',
    () => Response.json({ error: 'Invalid or expired reset token' }, { status: 400 }),
  ],
  ['Failed to reset password', () => new Response('oops', { status: 500 })],
  ['Network error. Please try again.', () => Promise.reject(new TypeError('Failed to fetch'))],
])('a failed reset shows "%s"', async (sentence, answer) => {
  reset = answer;
  show();
  await setPassword('secret 99');
  await screen.findByText(sentence);
});

test('a missing reset token shows an error without a request', () => {
  show('');
  expect(screen.getByRole('heading', { name: 'Reset Link Invalid' })).toBeDefined();
  expect(screen.getByText('No reset token provided')).toBeDefined();
  expect(fetched.mock.calls.filter(([url]) => String(url).includes('reset'))).toHaveLength(0);
});

test('an invalid reset link shows an error and a way back', async () => {
  verify = () => Response.json({ error: 'Invalid or expired reset token' }, { status: 400 });
  const onBack = show();
  await screen.findByText('Invalid or expired reset token');
  expect(
    screen.getByText(
      /a new link replaces the previous one. If you got several emails, open the link in the newest/,
    ),
  ).toBeDefined();
  expect(document.activeElement?.textContent).toBe('Reset Link Invalid');
  fireEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }));
  expect(onBack).toHaveBeenCalledTimes(1);
});

test('an invalid reset link leads to a form that requests a new one', async () => {
  verify = () => Response.json({ error: 'Invalid or expired reset token' }, { status: 400 });
  const onBack = show();
  fireEvent.click(await screen.findByRole('button', { name: 'Send a new link' }));
  expect(await screen.findByLabelText('Email')).toBeDefined();
  expect(onBack).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }));
  expect(onBack).toHaveBeenCalledTimes(1);
});

test.each<[string, Answer]>([
  ['a network failure', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['a server error', () => new Response('oops', { status: 502 })],
])('the reset link can be checked again after %s', async (_, answer) => {
  verify = answer;
  show();
  await screen.findByText('Failed to verify reset token. Please try again.');
  verify = () => Response.json({ user: { firstName: 'Maria', email: 'maria@example.org' } });
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByText(/Hello Maria/);
});

test('an invalid reset link shows the support address', async () => {
  show('');
  const support = await screen.findByRole('link', { name: 'help@example.org' });
  expect(support.getAttribute('href')).toBe('mailto:help@example.org');
});
