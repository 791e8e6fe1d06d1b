import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';
import { BackupEmailPreference } from './admin-backup-email-checkbox.tsx';

const sent: unknown[] = [];
let answer: () => Response;

beforeEach(() => {
  sent.length = 0;
  answer = () => Response.json({ mail: { isWanted: false }, message: 'Saved' });
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'PUT') return Response.json({ mail: { isWanted: true } });
    sent.push(JSON.parse(String(body)));
    return answer();
  });
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <BackupEmailPreference />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  vi.unstubAllGlobals();
});

const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: 'Email me when a backup fails' });

test('clearing the backup email checkbox turns the emails off and shows a confirmation', async () => {
  expect((await box()).checked).toBe(true);
  fireEvent.click(await box());
  await screen.findByText('Saved');
  expect([sent, (await box()).checked]).toEqual([[{ isWanted: false }], false]);
});

test('the backup email checkbox is restored, and the reason is shown, if saving fails', async () => {
  answer = () => Response.json({ error: 'The disk is full' }, { status: 507 });
  fireEvent.click(await box());
  await screen.findByText('The disk is full');
  expect((await box()).checked).toBe(true);
});
