import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { ConfirmEmailView } from './confirm-email.tsx';

const fetched = vi.fn<typeof fetch>();
let confirm: () => Response | Promise<Response>;

beforeEach(() => {
  confirm = () => Response.json({ message: 'Your email address is confirmed. You can sign in now.' });
  fetched.mockReset();
  fetched.mockImplementation(async (url) => {
    if (url === '/api/auth/verify-email') return confirm();
    return Response.json({
      districtName: 'Cedar Valley',
      supportEmail: 'help@example.org',
      languages: ['en'],
    });
  });
  vi.stubGlobal('fetch', fetched);
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
});

function show(isSignedIn = false) {
  const onBack = vi.fn();
  render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <ConfirmEmailView token="a/b" isSignedIn={isSignedIn} onBack={onBack} />
      </QueryClientProvider>
    </StrictMode>,
  );
  return onBack;
}

const posts = () => fetched.mock.calls.filter(([url]) => url === '/api/auth/verify-email');

test('the link confirms the address once, and offers a way back to sign-in', async () => {
  const onBack = show();
  expect(screen.getByRole('status').textContent).toContain('Confirming your address...');
  await screen.findByText('Your email address is confirmed. You can sign in now.');
  expect(posts().map(([, request]) => JSON.parse(String(request?.body)))).toEqual([{ token: 'a/b' }]);
  expect(document.activeElement?.textContent).toBe('Address confirmed');
  fireEvent.click(screen.getByRole('button', { name: 'Back to Sign In' }));
  expect(onBack).toHaveBeenCalledTimes(1);
});

test('a signed-in person can continue instead of going back', async () => {
  show(true);
  await screen.findByRole('heading', { name: 'Address confirmed' });
  expect(screen.getByRole('button', { name: 'Continue' })).toBeDefined();
});

test('an invalid link shows an error and cannot be retried', async () => {
  confirm = () => Response.json({ error: 'This link is not valid or has expired' }, { status: 400 });
  show();
  await screen.findByText('This link is not valid or has expired');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

test('without a network, the confirmation can be tried again', async () => {
  const works = confirm;
  confirm = () => Promise.reject(new TypeError('Failed to fetch'));
  show();
  await screen.findByText("We couldn't confirm your address. Please try again.");
  confirm = works;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: 'Address confirmed' });
});

test('the person who opens the link sets the new account’s password and can correct the name', async () => {
  confirm = () =>
    Response.json({ registration: { email: 'vera@example.org', firstName: 'Mallory', lastName: 'Volt' } });
  show();
  await screen.findByText('Your account for vera@example.org is almost ready.');
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('First Name', 'Vera');
  type('Password', 'sunny-meadow-17');
  type('Confirm Password', 'sunny-meadow-18');
  fireEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await screen.findByText('Passwords do not match');
  expect(posts()).toHaveLength(1);
  type('Confirm Password', 'sunny-meadow-17');
  confirm = () => Response.json({ message: 'Your account is ready. You can sign in now.' });
  fireEvent.click(screen.getByRole('button', { name: 'Create account' }));
  await screen.findByText('Your account is ready. You can sign in now.');
  expect(JSON.parse(String(posts().at(-1)?.[1]?.body))).toEqual({
    token: 'a/b',
    firstName: 'Vera',
    lastName: 'Volt',
    newPassword: 'sunny-meadow-17',
  });
});
