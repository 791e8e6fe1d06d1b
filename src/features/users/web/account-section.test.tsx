import { QueryClientProvider } from '@tanstack/react-query';
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { cedarValley, maria, signedIn } from '#test/dom/signed-in.ts';
import { queryClient } from '#web/api/query-client.ts';
import { AccountSection } from './account-section.tsx';
import { useProfile } from './api.ts';

const { answers } = signedIn({ 'GET /api/profile': () => Response.json({ user: maria() }) });

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
  await screen.findByText('Account Information', undefined, { timeout: 5_000 });
}

test('Account Information shows the role, and the dates in the district’s time zone', async () => {
  await show();
  const facts = [...document.querySelectorAll('dd')].map((fact) =>
    fact.textContent?.replaceAll('\u202f', ' '),
  );
  expect(facts).toEqual(['User', 'Feb 28, 2026', 'Mar 4, 2026, 12:05 PM']);
});

test('Account Information shows an administrator the role Administrator', async () => {
  answers['GET /api/profile'] = () => Response.json({ user: maria({ role: 'admin' }) });
  await show();
  expect(screen.getByText('Administrator')).toBeDefined();
});
