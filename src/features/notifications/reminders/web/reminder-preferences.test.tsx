import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { ReminderPreferences } from './reminder-preferences.tsx';

const NONE = { afterEvents: false, weekly: false, decisions: false };
const { answers, fetched } = signedIn({
  'GET /api/profile/reminders': () => Response.json({ mail: NONE, isConfirmed: true }),
  'PUT /api/profile/reminders': () =>
    Response.json({ mail: { ...NONE, weekly: true }, isConfirmed: true, message: 'Saved' }),
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <ReminderPreferences />
    </QueryClientProvider>,
  );
}

const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /^My hours for the week/ });

test('opting in to a reminder is confirmed', async () => {
  show();
  expect((await box()).checked).toBe(false);
  screen.getByText(/^Up to two emails a week/);
  fireEvent.click(await box());
  await screen.findByText('Saved');
  expect((await box()).checked).toBe(true);
  expect(fetched.mock.lastCall?.[1]?.body).toBe(JSON.stringify({ weekly: true }));
});

test('a reminder preference that could not be saved is reverted, and the error is shown', async () => {
  answers['PUT /api/profile/reminders'] = () => Response.json({ error: 'The disk is full' }, { status: 507 });
  show();
  fireEvent.click(await box());
  await screen.findByText('The disk is full');
  expect((await box()).checked).toBe(false);
});

test('the reminder preferences show a notice if the address is unconfirmed', async () => {
  answers['GET /api/profile/reminders'] = () => Response.json({ mail: NONE, isConfirmed: false });
  show();
  await screen.findByText(/^Your email address is not confirmed yet/);
});

test('the reminder preferences are hidden if the district sends no email', async () => {
  const found = { mail: null, isConfirmed: true };
  answers['GET /api/profile/reminders'] = () => Response.json(found);
  show();
  await waitFor(() => expect(queryClient.getQueryData(['reminders'])).toEqual(found));
  expect(screen.queryByRole('checkbox')).toBeNull();
});
