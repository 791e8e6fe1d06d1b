import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { useProfile } from '#features/users/web/api.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { maria, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { AccountDeletion } from './account-deletion.tsx';

const at = (text: string) => text as Instant;
const { answers, fetched } = signedIn({
  'GET /api/profile': () => Response.json({ user: maria() }),
  'POST /api/profile/erasure-request': () =>
    Response.json(
      { user: maria({ erasureRequestedAt: at('2026-03-04T18:05:00.000Z') }), message: 'Passed on' },
      { status: 201 },
    ),
  'DELETE /api/profile/erasure-request': () =>
    Response.json({ user: maria(), message: 'Your account stays' }),
});

// As in the product, a changed account is shown through the profile query.
function Shown() {
  const profile = useProfile('abc');
  return profile.data === undefined ? null : <AccountDeletion user={profile.data} zone="America/Chicago" />;
}

async function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  );
  await screen.findByRole('button', { name: 'Delete my account' }, { timeout: 5_000 });
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test("the form explains that the name becomes 'Former volunteer', and can be canceled", async () => {
  await show();
  press('Delete my account');
  expect(screen.getByText(/Your name becomes 'Former volunteer'/)).toBeDefined();
  expect(document.activeElement?.textContent).toBe('Delete your account?');
  press('Cancel');
  expect(fetched.mock.calls.some(([url]) => url === '/api/profile/erasure-request')).toBe(false);
});

test('a user can request deletion and withdraw the request', async () => {
  await show();
  press('Delete my account');
  fireEvent.change(screen.getByLabelText('Reason (optional)'), { target: { value: ' We move away ' } });
  press('Send request');
  await screen.findByText('Passed on');
  const asked = fetched.mock.calls.find(([url]) => url === '/api/profile/erasure-request');
  expect(JSON.parse(String(asked?.[1]?.body))).toEqual({ reason: 'We move away' });
  expect(screen.getByText(/You asked to delete your account on Mar 4, 2026/)).toBeDefined();
  press('Withdraw request');
  await screen.findByText('Your account stays');
  expect(screen.getByRole('button', { name: 'Delete my account' })).toBeDefined();
});

test('an error from the server appears in the form', async () => {
  const error = 'You already asked to delete your account';
  answers['POST /api/profile/erasure-request'] = () => Response.json({ error }, { status: 409 });
  await show();
  press('Delete my account');
  press('Send request');
  await screen.findByText(error);
});
