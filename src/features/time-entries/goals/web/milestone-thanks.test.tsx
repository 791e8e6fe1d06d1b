import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';
import { Thanks } from './milestone-thanks.tsx';

const sent: unknown[] = [];
let status: number;

beforeEach(() => {
  sent.length = 0;
  status = 200;
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'POST') {
      return Response.json({ thanks: { hours: 25, words: 'We are glad of you.', yearStart: '2025-07-01' } });
    }
    sent.push(JSON.parse(String(body)));
    return Response.json(status === 200 ? { thanks: null } : { error: 'No' }, { status });
  });
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <Thanks />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  vi.unstubAllGlobals();
});

const away = () => screen.findByRole('button', { name: 'Close' });

test('the thank-you disappears when the volunteer dismisses it', async () => {
  fireEvent.click(await away());
  await waitFor(() => expect(screen.queryByText('We are glad of you.')).toBeNull());
  expect(sent).toEqual([{ hours: 25 }]);
});

test('the thank-you stays when dismissing it fails', async () => {
  status = 507;
  fireEvent.click(await away());
  await waitFor(() => expect(sent).toHaveLength(1));
  await away();
  screen.getByText('We are glad of you.');
});
