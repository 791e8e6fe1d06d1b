import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import '#app/web/views/reminder-texts.ts';
import { queryClient } from '#web/lib/query-client.ts';
import { endSession, startSession } from '#web/lib/session.ts';
import { ReminderChoice } from './reminder-choice.tsx';

const sent: unknown[] = [];
let found: { mail: object | null; isConfirmed: boolean };
let answer: () => Response;

beforeEach(() => {
  sent.length = 0;
  found = { mail: { afterEvents: false, weekly: false, decisions: false }, isConfirmed: true };
  answer = () => Response.json({ ...found, mail: { ...found.mail, weekly: true }, message: 'Saved' });
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'PUT') return Response.json(found);
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
      <ReminderChoice />
    </QueryClientProvider>,
  );
}

const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /^My hours of the week/ });

test('somebody asks for one kind of email, and is told that it is saved', async () => {
  show();
  expect((await box()).checked).toBe(false);
  screen.getByText(/^Two emails a week at most/);
  fireEvent.click(await box());
  await screen.findByText('Saved');
  expect([sent, (await box()).checked]).toEqual([[{ weekly: true }], true]);
});

test('a choice that could not be saved goes back, with the reason', async () => {
  answer = () => Response.json({ error: 'The disk is full' }, { status: 507 });
  show();
  fireEvent.click(await box());
  await screen.findByText('The disk is full');
  expect((await box()).checked).toBe(false);
});

test('whose address is not confirmed is told so', async () => {
  found = { ...found, isConfirmed: false };
  show();
  await screen.findByText(/^Your email address is not confirmed yet/);
});

test('nothing shows where the district sends no mail', async () => {
  found = { mail: null, isConfirmed: true };
  show();
  await waitFor(() => expect(queryClient.getQueryData(['reminders'])).toEqual(found));
  expect(screen.queryByRole('checkbox')).toBeNull();
});
