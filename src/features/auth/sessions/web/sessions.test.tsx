import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Instant } from '#shared/calendar-date.ts';
import { cedarValley, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { Sessions } from './sessions.tsx';

const at = (text: string) => text as Instant;
const here = {
  id: 1,
  current: true,
  createdAt: at('2026-03-04T18:05:00.000Z'),
  lastUsedAt: at('2026-03-04T18:09:00.000Z'),
  device: 'Firefox on Windows',
};
const phone = { ...here, id: 2, current: false, device: 'Chrome on Android' };

const { answers } = signedIn({
  'GET /api/profile/sessions': () => Response.json({ sessions: [here, phone] }),
  'POST /api/auth/sign-out-others': () =>
    Response.json({ message: 'You are signed out on all other devices' }),
});

async function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <Sessions zone={cedarValley.timeZone} />
    </QueryClientProvider>,
  );
  await screen.findByText('Firefox on Windows', undefined, { timeout: 5_000 });
}

test('the sign-out button signs out all other devices and updates the list', async () => {
  await show();
  expect(screen.getAllByText('This device')).toHaveLength(1);
  answers['GET /api/profile/sessions'] = () => Response.json({ sessions: [here] });
  fireEvent.click(screen.getByRole('button', { name: 'Sign out on all other devices' }));
  await screen.findByText('You are signed out on all other devices');
  await waitFor(() => expect(screen.queryByText('Chrome on Android')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Sign out on all other devices' })).toBeNull();
});

test('the current device is listed first, regardless of last use', async () => {
  answers['GET /api/profile/sessions'] = () => Response.json({ sessions: [phone, here] });
  await show();
  const devices = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(devices.map((item) => item?.includes('This device'))).toEqual([true, false]);
});
