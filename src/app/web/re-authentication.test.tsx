import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { updateProfile } from '#features/users/contract.ts';
import { signedIn } from '#test/dom/signed-in.ts';
import { call } from '#web/api/call.ts';
import { queryClient } from '#web/api/query-client.ts';
import { endSession } from '#web/api/session.ts';
import { ReAuthentication } from './re-authentication.tsx';

const ASKED = { error: "Confirm it's you: sign in again", fresh: true };
const WAYS = 'GET /api/auth/fresh';
const PROVE = 'POST /api/auth/fresh';
const SAVE = 'PUT /api/profile';

// The first test also waits for the dialog's chunks to load.
const SOON = { timeout: 5_000 };

let isProven = false;
const { answers, fetched } = signedIn({
  [WAYS]: () => Response.json({ password: true, providers: [] }),
  [PROVE]: () => {
    isProven = true;
    return Response.json({ message: 'Confirmed' });
  },
  [SAVE]: () =>
    isProven ? Response.json({ message: 'Profile updated' }) : Response.json(ASKED, { status: 403 }),
});

/** Sends a call that requires recent authentication. Returns its outcome once it has ended. */
function save(email = 'new@example.org'): Promise<string> {
  return call(updateProfile, { body: { email } }).then(
    ({ message }) => message,
    (error: Error) => `refused: ${error.message}`,
  );
}

function shown() {
  // Missing in the test environment.
  vi.stubGlobal('CSS', { escape: String });
  isProven = false;
  render(
    <QueryClientProvider client={queryClient}>
      <ReAuthentication />
    </QueryClientProvider>,
  );
}

async function give(password: string): Promise<void> {
  const field = await screen.findByLabelText('Password', {}, SOON);
  fireEvent.change(field, { target: { value: password } });
  const form = field.closest('form');
  if (form !== null) fireEvent.submit(form);
}

test('re-authentication sends the call again, unchanged, after the correct password', async () => {
  shown();
  const saved = save();
  await give('sunny-meadow');
  expect(await saved).toBe('Profile updated');
  const sent = fetched.mock.calls
    .filter(([url]) => url === '/api/profile')
    .map(([, request]) => request?.body);
  expect(sent).toEqual([
    JSON.stringify({ email: 'new@example.org' }),
    JSON.stringify({ email: 'new@example.org' }),
  ]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
});

test('re-authentication shows a wrong password as an error, and accepts another attempt', async () => {
  shown();
  const wrong = 'That password is not correct';
  const right = answers[PROVE];
  answers[PROVE] = () => Response.json({ error: wrong, fields: { password: wrong } }, { status: 400 });
  const saved = save();
  await give('wrong');
  expect(await screen.findByText(wrong)).toBeDefined();
  if (right !== undefined) answers[PROVE] = right;
  await give('right');
  expect(await saved).toBe('Profile updated');
});

test.each(['Escape', 'Cancel'])(
  '%s cancels the call that requires re-authentication, with a message',
  async (way) => {
    shown();
    const saved = save();
    await screen.findByLabelText('Password');
    if (way === 'Cancel') fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    else fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
    expect(await saved).toBe(
      "refused: Nothing has changed. Confirm it's you first, with your password or another method.",
    );
  },
);

test('concurrent calls share one re-authentication prompt', async () => {
  shown();
  const saved = [save('a@example.org'), save('b@example.org')];
  await give('sunny-meadow');
  expect(await Promise.all(saved)).toEqual(['Profile updated', 'Profile updated']);
  expect(
    fetched.mock.calls.filter(([url, request]) => url === '/api/auth/fresh' && request?.method === 'POST'),
  ).toHaveLength(1);
});

test('re-authenticating in another tab is enough', async () => {
  shown();
  const saved = save();
  await screen.findByLabelText('Password');
  isProven = true;
  window.dispatchEvent(new StorageEvent('storage', { key: 'proofGiven', newValue: '1' }));
  expect(await saved).toBe('Profile updated');
});

test('a call that waits for re-authentication is rejected when the session ends', async () => {
  shown();
  const saved = save();
  await screen.findByLabelText('Password');
  endSession();
  expect(await saved).toMatch(/^refused/);
});

test('users without a password see a message that their account has none yet', async () => {
  shown();
  answers[WAYS] = () => Response.json({ password: false, providers: [] });
  const saved = save();
  expect(await screen.findByText(/Your account has no password yet/)).toBeDefined();
  fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' });
  expect(await saved).toMatch(/^refused/);
});
