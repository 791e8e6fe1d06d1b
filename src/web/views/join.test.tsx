import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '../lib/query-client.ts';
import { endSession, startSession } from '../lib/session.ts';
import { JoinView } from './join.tsx';

const school = (id: number, name: string) => ({ id, name, logoUrl: null });
const maria = {
  id: 9,
  firstName: 'Maria',
  email: 'maria@example.org',
  schools: [school(1, 'Lincoln')],
  pendingSchools: [school(2, 'Cedar')],
};

const fetched = vi.fn<typeof fetch>();
const onDone = vi.fn();
let put: () => Response;

beforeEach(() => {
  put = () => Response.json({ user: maria, message: 'Profile updated successfully' });
  onDone.mockReset();
  fetched.mockReset();
  fetched.mockImplementation(async (url, request) => {
    if (url === '/api/auth/invites/code') {
      const schools = [school(3, 'Oak Hill'), school(1, 'Lincoln')];
      return Response.json({ invite: { email: maria.email, role: 'user', schools } });
    }
    if (url === '/api/profile') return request?.method === 'PUT' ? put() : Response.json({ user: maria });
    return Response.json({ districtName: 'Cedar Valley', supportEmail: 'help@example.org' });
  });
  vi.stubGlobal('fetch', fetched);
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <JoinView token="abc" code="code" onDone={onDone} />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  vi.unstubAllGlobals();
  endSession();
});

const body = (): unknown => {
  const put = fetched.mock.calls.find(([, request]) => request?.method === 'PUT');
  return put === undefined ? undefined : JSON.parse(String(put[1]?.body));
};

test('joining adds the schools of the invitation to those one has or waits for', async () => {
  await screen.findByText('You are invited to Oak Hill and Lincoln.');
  fireEvent.click(screen.getByRole('button', { name: 'Join' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  expect(body()).toEqual({ schoolIds: [1, 2, 3], inviteCode: 'code' });
});

test('what the server refuses is said, and one may leave it', async () => {
  const error = 'This invitation was sent to another email address';
  put = () => Response.json({ error }, { status: 403 });
  fireEvent.click(await screen.findByRole('button', { name: 'Join' }));
  await screen.findByText(error);
  expect(onDone).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(onDone).toHaveBeenCalledTimes(1);
});
