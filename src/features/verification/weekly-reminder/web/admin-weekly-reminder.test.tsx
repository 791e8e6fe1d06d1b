import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { WeeklyReminderPreference } from './admin-weekly-reminder.tsx';

const saved = () => Response.json({ mail: { isWanted: false }, message: 'Saved' });
const { answers, fetched } = signedIn({
  'GET /api/my-verifications/mail': () => Response.json({ mail: { isWanted: true } }),
  'PUT /api/my-verifications/mail': saved,
});

function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <WeeklyReminderPreference />
    </QueryClientProvider>,
  );
}

const box = () => screen.findByRole<HTMLInputElement>('checkbox', { name: /^Email me once a week/ });

test('clearing the box unsubscribes from the weekly reminder and shows a message', async () => {
  show();
  expect((await box()).checked).toBe(true);
  fireEvent.click(await box());
  await screen.findByText('Saved');
  expect((await box()).checked).toBe(false);
  expect(fetched.mock.lastCall?.[1]?.body).toBe(JSON.stringify({ isWanted: false }));
});

test('a reminder preference that cannot be saved is reset, and the reason is shown', async () => {
  answers['PUT /api/my-verifications/mail'] = () =>
    Response.json({ error: 'The disk is full' }, { status: 507 });
  show();
  fireEvent.click(await box());
  await screen.findByText('The disk is full');
  expect((await box()).checked).toBe(true);
});

test("the reminder preference is hidden if none of the user's schools verifies hours", async () => {
  answers['GET /api/my-verifications/mail'] = () => Response.json({ mail: null });
  show();
  await waitFor(() => expect(queryClient.getQueryData(['weekly-mail'])).toEqual({ mail: null }));
  expect(screen.queryByText('Email about hours to verify')).toBeNull();
});
