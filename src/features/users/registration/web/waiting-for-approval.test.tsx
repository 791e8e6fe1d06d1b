import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { maria, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { WaitingForApproval } from './waiting-for-approval.tsx';

const { answers, fetched } = signedIn({});
const user = maria({ schools: [], pendingSchools: [{ id: 1, name: 'Lincoln', logoUrl: null }] });

async function look(config: { hasNoMail?: true }) {
  answers['GET /api/config'] = () => Response.json(config);
  render(
    <QueryClientProvider client={queryClient}>
      <WaitingForApproval user={user} />
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(fetched).toHaveBeenCalled());
  await screen.findByText(/^An administrator reviews each request/);
}

const LINK = /open the link we sent to/;

test('a user who waits for approval is reminded of the emailed link', async () => {
  await look({});
  await screen.findByText(LINK);
});

test('a user who waits for approval is not reminded of a link if email is not set up', async () => {
  await look({ hasNoMail: true });
  await vi.waitFor(() => expect(screen.queryByText(LINK)).toBeNull());
});
