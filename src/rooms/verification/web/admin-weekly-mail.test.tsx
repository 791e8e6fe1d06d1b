import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '#app/web/views/weekly-mail-texts.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { endSession, startSession } from '#web/lib/session.ts';
import { WeeklyMailChoice } from './admin-weekly-mail.tsx';

const sent: unknown[] = [];
let mail: { isWanted: boolean } | null;
let answer: () => Response;

beforeEach(() => {
  sent.length = 0;
  mail = { isWanted: true };
  answer = () => Response.json({ mail: { isWanted: false }, message: 'Saved' });
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'PUT') return Response.json({ mail });
    sent.push(JSON.parse(String(body)));
    return answer();
  });
  startSession('abc');
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  vi.unstubAllGlobals();
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <WeeklyMailChoice />
    </QueryClientProvider>,
  );
}

const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /^Email me once a week/ });

test('a verifier who clears the box gets the weekly letter no more, and is told that', async () => {
  show();
  expect((await box()).checked).toBe(true);
  fireEvent.click(await box());
  await screen.findByText('Saved');
  expect([sent, (await box()).checked]).toEqual([[{ isWanted: false }], false]);
});

test('a choice that could not be saved goes back, with the reason', async () => {
  answer = () => Response.json({ error: 'The disk is full' }, { status: 507 });
  show();
  fireEvent.click(await box());
  await screen.findByText('The disk is full');
  expect((await box()).checked).toBe(true);
});

test('nothing shows where no school verifies hours', async () => {
  mail = null;
  show();
  await waitFor(() => expect(queryClient.getQueryData(['weekly-mail'])).toEqual({ mail: null }));
  expect(screen.queryByText('Email about hours to verify')).toBeNull();
});
