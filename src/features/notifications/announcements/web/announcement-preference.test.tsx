import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';
import { AnnouncementPreference } from './announcement-preference.tsx';

const BOX = { name: /^News and requests from your school/ };
const puts: unknown[] = [];

afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  vi.unstubAllGlobals();
});

/** The choice, where the server answers a read and a change so. */
function look(read: () => Response, change?: () => Response): void {
  puts.length = 0;
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'PUT') return read();
    puts.push(JSON.parse(String(body)));
    return change?.() ?? Response.json({ isWanted: false, message: 'Email settings saved' });
  });
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <AnnouncementPreference />
    </QueryClientProvider>,
  );
}

const wanted = (isWanted: boolean | null) => () => Response.json({ isWanted });
const box = async () => (await screen.findByRole('checkbox', BOX)) as HTMLInputElement;

test('turning announcements off is confirmed', async () => {
  look(wanted(true));
  const choice = await box();
  expect(choice.checked).toBe(true);
  fireEvent.click(choice);
  await screen.findByText('Email settings saved');
  expect([choice.checked, puts]).toEqual([false, [{ isWanted: false }]]);
});

test('an announcement preference that could not be saved is reverted, and the error is shown', async () => {
  look(wanted(false), () => Response.json({ error: 'The system is busy' }, { status: 503 }));
  const choice = await box();
  fireEvent.click(choice);
  await screen.findByText(/The system is busy/);
  await vi.waitFor(() => expect(choice.checked).toBe(false));
  expect(puts).toEqual([{ isWanted: true }]);
});

test('the announcement preference is hidden if the district sends no email', async () => {
  look(wanted(null));
  await vi.waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(screen.queryByText('Group emails from the school or district')).toBeNull();
});

test('an error loading the announcement preference can be retried', async () => {
  let tries = 0;
  look(() => {
    tries += 1;
    return tries === 1 ? Response.json({ error: 'Broken' }, { status: 400 }) : wanted(true)();
  });
  await screen.findByText(/We couldn't load your email choices/);
  fireEvent.click(screen.getByRole('button', { name: /again/i }));
  expect((await box()).checked).toBe(true);
});
