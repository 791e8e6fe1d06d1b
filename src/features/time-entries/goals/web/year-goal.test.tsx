import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queryClient } from '#web/api/query-client.ts';
import { endSession, startSession } from '#web/api/session.ts';
import { YearGoal } from './year-goal.tsx';

const sent: unknown[] = [];
let goal: { hours: number | null; logged: number; yearStart: string };

beforeEach(() => {
  // The dialog needs it, and jsdom has none.
  vi.stubGlobal('CSS', { escape: String });
  sent.length = 0;
  goal = { hours: null, logged: 12.5, yearStart: '2025-07-01' };
  vi.stubGlobal('fetch', async (_url: string, { method, body }: RequestInit) => {
    if (method !== 'PUT') return Response.json({ goal });
    const change = JSON.parse(String(body));
    sent.push(change);
    return Response.json({ goal: { ...goal, ...change }, message: 'Saved' });
  });
  startSession('abc');
  render(
    <QueryClientProvider client={queryClient}>
      <YearGoal />
    </QueryClientProvider>,
  );
});
afterEach(() => {
  cleanup();
  queryClient.clear();
  endSession();
  vi.unstubAllGlobals();
});

async function press(name: string) {
  const button = await screen.findByRole<HTMLButtonElement>('button', { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  fireEvent.click(button);
}

test('a volunteer sets a goal, sees the progress, and removes the goal', async () => {
  await press('Set a goal');
  await press('Save goal');
  await screen.findByText('A goal must be between 0.25 and 5,000 hours');
  expect(sent).toEqual([]);
  fireEvent.change(await screen.findByLabelText('Hours this school year'), { target: { value: '50' } });
  await press('Save goal');
  await screen.findByText('12.5 of 50 hours this school year');
  expect(screen.queryByText(/You reached your goal/)).toBeNull();
  await press('Change goal');
  await press('Remove goal');
  await screen.findByText(/Set a goal for this school year/);
  expect(sent).toEqual([{ hours: 50 }, { hours: null }]);
});

test('a volunteer who has reached the goal sees a thank-you', async () => {
  await press('Set a goal');
  fireEvent.change(await screen.findByLabelText('Hours this school year'), { target: { value: '12.5' } });
  await press('Save goal');
  await waitFor(() => screen.getByText('You reached your goal. Thank you!'));
});
