import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cedarValley, maria, signedIn } from '#test/dom/signed-in.ts';
import { PermissionsContext, permissionsOf } from '#web/api/permissions.ts';
import { queryClient } from '#web/api/query-client.ts';
import { Requests } from './admin-membership-requests.tsx';

const request = {
  user: { id: 4, firstName: 'Ben', lastName: 'Okafor', email: 'ben@example.org' },
  isEmailConfirmed: false,
  school: { id: 1, name: 'Lincoln', logoUrl: null },
  requestedAt: '2026-03-03T18:00:00.000Z',
};
const { answers, fetched } = signedIn({
  'GET /api/admin/memberships': () => Response.json({ memberships: [request], total: 1, nextCursor: null }),
  'POST /api/admin/memberships/approve': () => Response.json({ message: 'Ben Okafor can now see Lincoln' }),
});
const admin = maria({ role: 'admin' });

async function look(
  lettersInFolder: boolean,
  viewer = admin,
  registration: 'approval' | 'open' = 'approval',
) {
  const waiting = { memberships: 1, erasureRequests: 0, openInvites: 0 };
  answers['GET /api/admin/waiting'] = () => Response.json({ waiting, lettersInFolder });
  render(
    <QueryClientProvider client={queryClient}>
      <PermissionsContext value={permissionsOf(viewer)}>
        <Requests
          viewer={viewer}
          district={{ ...cedarValley, registration }}
          onAddSchool={() => {}}
          onHistory={() => {}}
        />
      </PermissionsContext>
    </QueryClientProvider>,
  );
  await screen.findByText('Ben Okafor');
}

const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name }));
const wasApproved = () => fetched.mock.calls.some(([url]) => url === '/api/admin/memberships/approve');

test('a membership request marks an unconfirmed address if email is set up', async () => {
  await look(false);
  await screen.findByText('Email not confirmed yet');
});

test('without email, a request can be approved, and a note explains why no address is confirmed', async () => {
  await look(true);
  await screen.findByText("Email not confirmed, because email isn't set up");
  await press('Approve Ben Okafor, Lincoln');
  await waitFor(() => expect(wasApproved()).toBe(true));
  expect(screen.queryByText('Email not confirmed yet')).toBeNull();
});

test('an administrator without access to Settings is referred to the district office', async () => {
  const head = maria({ grants: [{ role: 'school-admin', school: { id: 1, name: 'Lincoln' } }] });
  await look(false, head, 'open');
  expect(screen.queryByText(/change it in Settings/)).toBeNull();
  expect(screen.getByText(/The district office can change that/)).toBeTruthy();
});
