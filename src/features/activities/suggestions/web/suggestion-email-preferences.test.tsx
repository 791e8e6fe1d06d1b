import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';
import { SuggestionEmailPreferences } from './suggestion-email-preferences.tsx';

const NOTICE = "Email isn't set up yet. The district office can do that.";
const requests: string[] = [];

async function look({ isAdmin, lettersInFolder }: { isAdmin: boolean; lettersInFolder: boolean }) {
  requests.length = 0;
  vi.stubGlobal('fetch', async (url: string) => {
    requests.push(url);
    if (url === '/api/admin/waiting') {
      const waiting = { memberships: 0, openInvites: 0, erasureRequests: 0 };
      return Response.json({ waiting, lettersInFolder });
    }
    return Response.json({ mail: { decisions: true, digest: false } });
  });
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <SuggestionEmailPreferences isAdmin={isAdmin} hasDigest={isAdmin} />
    </QueryClientProvider>,
  );
  await screen.findByRole('checkbox', { name: 'Email me when my suggestions are decided' });
}

afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  vi.unstubAllGlobals();
});

test('staff see a warning if no mail server is set up', async () => {
  await look({ isAdmin: true, lettersInFolder: true });
  await screen.findByText(NOTICE);
});

test('staff see no warning once a mail server is set up', async () => {
  await look({ isAdmin: true, lettersInFolder: false });
  await vi.waitFor(() => expect(requests).toContain('/api/admin/waiting'));
  expect(screen.queryByText(NOTICE)).toBeNull();
});

test('volunteers see no warning about the mail server', async () => {
  await look({ isAdmin: false, lettersInFolder: true });
  expect(requests).not.toContain('/api/admin/waiting');
  expect(screen.queryByText(NOTICE)).toBeNull();
});
