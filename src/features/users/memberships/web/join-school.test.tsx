import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { cedarValley, maria, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { JoinView } from './join-school.tsx';

const school = (id: number, name: string) => ({ id, name, logoUrl: null });
const user = maria({ schools: [school(1, 'Lincoln')], pendingSchools: [school(2, 'Cedar')] });

const onDone = vi.fn();
let invited: string;
const { answers, fetched } = signedIn({
  'GET /api/auth/invites/code': () => {
    const schools = [school(3, 'Oak Hill'), school(1, 'Lincoln')];
    return Response.json({ invite: { email: invited, role: 'user', schools } });
  },
  'GET /api/profile': () => Response.json({ user }),
  'PUT /api/profile': () => Response.json({ user, message: 'Profile updated successfully' }),
  'GET /api/config': () => Response.json(cedarValley),
});

beforeEach(() => {
  invited = 'Maria@example.org';
  onDone.mockReset();
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <JoinView token="abc" code="code" onDone={onDone} />
    </QueryClientProvider>,
  );
}

const body = (): unknown => {
  const put = fetched.mock.calls.find(([, request]) => request?.method === 'PUT');
  return put === undefined ? undefined : JSON.parse(String(put[1]?.body));
};

test('joining adds the invitation’s schools to the user’s current and requested schools', async () => {
  show();
  await screen.findByText("You're invited to Oak Hill and Lincoln.");
  fireEvent.click(screen.getByRole('button', { name: 'Join' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledTimes(1));
  expect(body()).toEqual({ schoolIds: [1, 2, 3], inviteCode: 'code' });
});

test('a failed join shows the error, and the user can leave the screen', async () => {
  const error = 'This invitation is invalid or has expired. Please ask for a new one.';
  answers['PUT /api/profile'] = () => Response.json({ error }, { status: 400 });
  show();
  fireEvent.click(await screen.findByRole('button', { name: 'Join' }));
  await screen.findByText(error);
  expect(onDone).not.toHaveBeenCalled();
  fireEvent.click(screen.getByRole('button', { name: 'Not now' }));
  expect(onDone).toHaveBeenCalledTimes(1);
});

test('an invitation for another address offers no Join button', async () => {
  invited = 'noor@example.org';
  show();
  await screen.findByText('This invitation was sent to a different email address');
  expect(screen.queryByRole('button', { name: 'Join' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Continue' }));
  expect(onDone).toHaveBeenCalledTimes(1);
});
