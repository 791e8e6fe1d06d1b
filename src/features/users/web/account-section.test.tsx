import { QueryClientProvider } from '@tanstack/react-query';
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Instant } from '#shared/calendar-date.ts';
import { cedarValley, maria, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { AccountSection } from './account-section.tsx';
import { useProfile } from './api.ts';

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
  'GET /api/profile': () => Response.json({ user: maria() }),
  'GET /api/profile/sessions': () => Response.json({ sessions: [here, phone] }),
  'POST /api/auth/sign-out-others': () =>
    Response.json({ message: 'You are signed out on all other devices' }),
});

// As in the product, a changed account is shown through the profile query.
function Shown() {
  const profile = useProfile('abc');
  return profile.data === undefined ? null : (
    <AccountSection user={profile.data} district={cedarValley} ownData={null}>
      none
    </AccountSection>
  );
}

async function show() {
  render(
    <QueryClientProvider client={queryClient}>
      <Shown />
    </QueryClientProvider>,
  );
  await screen.findByText('Firefox on Windows', undefined, { timeout: 5_000 });
}

const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }));

test("says who one is, since when, by the district's clock", async () => {
  await show();
  const facts = [...document.querySelectorAll('dd')].map((fact) =>
    fact.textContent?.replaceAll('\u202f', ' '),
  );
  expect(facts).toEqual(['User', 'Feb 28, 2026', 'Mar 4, 2026, 12:05 PM']);
});

test('calls an administrator so', async () => {
  answers['GET /api/profile'] = () => Response.json({ user: maria({ role: 'admin' }) });
  await show();
  expect(screen.getByText('Administrator')).toBeDefined();
});

test('signs out everywhere else, and shows that it is so', async () => {
  await show();
  expect(screen.getAllByText('This device')).toHaveLength(1);
  answers['GET /api/profile/sessions'] = () => Response.json({ sessions: [here] });
  press('Sign out on all other devices');
  await screen.findByText('You are signed out on all other devices');
  await waitFor(() => expect(screen.queryByText('Chrome on Android')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Sign out on all other devices' })).toBeNull();
});

test('shows this device first, whatever was used last', async () => {
  answers['GET /api/profile/sessions'] = () => Response.json({ sessions: [phone, here] });
  await show();
  const devices = screen.getAllByRole('listitem').map(({ textContent }) => textContent);
  expect(devices.map((said) => said?.includes('This device'))).toEqual([true, false]);
});
