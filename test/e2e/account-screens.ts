import type { Route } from 'playwright-core';
import type { Visit } from './browser.ts';
import type { Screen } from './screens.ts';

const heading = (visit: Visit, name: string) => visit.page.getByRole('heading', { name }).waitFor();
const field = (visit: Visit, label: string) => visit.page.getByLabel(label, { exact: true });

/** Changes what a call returns, for a state that this district does not get into by itself. */
const change = (visit: Visit, address: string, by: (body: Record<string, unknown>) => unknown) =>
  visit.page.route(address, async (route: Route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: by(await response.json()) });
  });

const answer = (visit: Visit, address: string, json: unknown, status = 200) =>
  visit.page.route(address, (route) => route.fulfill({ status, json }));

const SCHOOLS = [
  { id: 901, name: 'Lincoln Elementary', logoUrl: null },
  { id: 902, name: 'Cedar Ridge Middle School of Arts and Sciences', logoUrl: null },
];

async function forgot(visit: Visit) {
  await visit.page.goto('/');
  await visit.press(visit.button('Forgot your password?'));
  await heading(visit, 'Reset your password');
}

async function settings(visit: Visit) {
  await visit.page.goto('/');
  if (visit.look.device === 'phone') {
    await visit.press(visit.button('Menu'));
    await visit.press(visit.page.getByRole('menuitem', { name: 'Settings' }));
  } else {
    await visit.press(visit.button('Settings'));
  }
  await visit.sees('This device');
  await visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }).waitFor();
}

async function confirming(visit: Visit, json: unknown, status?: number) {
  if (status !== undefined) visit.expectFailure(`${status} POST /api/auth/verify-email`);
  await answer(visit, '**/api/auth/verify-email', json, status);
  await visit.page.goto('/?verify=made-up');
}

const pending = (joined: readonly unknown[]) => (body: Record<string, unknown>) => ({
  user: { ...(body['user'] as object), schools: joined, pendingSchools: SCHOOLS },
});

/** Every state of the account's screens. */
export const ACCOUNT_SCREENS: readonly Screen[] = [
  ['a forgotten password', 'stranger', forgot],
  [
    'a forgotten password with faults',
    'stranger',
    async (visit) => {
      await forgot(visit);
      await field(visit, 'Email').fill('');
      await visit.press(visit.button('Send reset link'));
      await visit.sees('Email address is required');
    },
  ],
  [
    'a reset link on its way',
    'stranger',
    async (visit) => {
      await forgot(visit);
      // It must not go to sign-in while it is being checked.
      await visit.page.evaluate(() => {
        const later = globalThis.setTimeout;
        const unlessLeaving = (act: () => void, ms?: number) => (ms === 5_000 ? 0 : later(act, ms));
        Object.assign(globalThis, { setTimeout: unlessLeaving });
      });
      await field(visit, 'Email').fill('nobody@maplegrove.example');
      await visit.press(visit.button('Send reset link'));
      await heading(visit, 'Check your mail');
    },
  ],
  [
    'sign in where accounts are made by invitation',
    'stranger',
    async (visit) => {
      await change(visit, '**/api/config', (body) => ({ ...body, registration: 'invite' }));
      await visit.page.goto('/');
      await visit.sees('New accounts are made by the district. Please write to help@maplegrove.example.');
    },
  ],
  [
    'an invitation',
    'stranger',
    async (visit) => {
      const invite = { email: 'a.rather.long.address@maplegrove.example', role: 'user', schools: SCHOOLS };
      await answer(visit, '**/api/auth/invites/*', { invite });
      await visit.page.goto('/?invite=made-up');
      await heading(visit, 'Create your account');
      await visit.sees('Your invitation was sent to this address.');
    },
  ],
  [
    'an invitation that is none',
    'stranger',
    async (visit) => {
      visit.expectFailure(/^40\d GET \/api\/auth\/invites/);
      await visit.page.goto('/?invite=made-up');
      await heading(visit, 'Your invitation');
    },
  ],
  [
    'an address that is confirmed',
    'stranger',
    async (visit) => {
      await confirming(visit, { message: 'Your email address is confirmed. You can sign in now.' });
      await heading(visit, 'Address confirmed');
    },
  ],
  [
    'a confirmation link that is none',
    'stranger',
    async (visit) => {
      await confirming(visit, { error: 'Invalid or expired confirmation link' }, 400);
      await heading(visit, 'Confirmation Link Invalid');
    },
  ],
  [
    'a school that waits for approval',
    'volunteer',
    async (visit) => {
      await change(visit, '**/api/profile', pending([]));
      await visit.page.goto('/');
      await heading(visit, 'Almost there, Vera');
    },
  ],
  [
    'an invitation for somebody signed in',
    'volunteer',
    async (visit) => {
      const invite = { email: 'vera@elsewhere.example', role: 'user', schools: SCHOOLS };
      await answer(visit, '**/api/auth/invites/*', { invite });
      await visit.page.goto('/?invite=made-up');
      await visit.sees('This invitation was sent to another email address');
    },
  ],
  ['account settings', 'volunteer', settings],
  [
    'account settings with schools that wait',
    'volunteer',
    async (visit) => {
      await change(visit, '**/api/profile', (body) => {
        const user = body['user'] as { schools: readonly unknown[] };
        return {
          user: { ...user, schools: user.schools.slice(0, 1), pendingSchools: user.schools.slice(1) },
        };
      });
      await settings(visit);
      await visit.page.getByRole('checkbox', { name: /Waiting for approval/ }).waitFor();
    },
  ],
  [
    'account settings with faults',
    'volunteer',
    async (visit) => {
      await settings(visit);
      await field(visit, 'First Name').fill('');
      await visit.press(visit.button('Save changes'));
      await visit.sees('First name and last name are required');
      await field(visit, 'New Password').fill('five5');
      await visit.press(visit.button('Change password'));
      await visit.sees('New passwords do not match');
    },
  ],
  [
    'the question about being deleted',
    'volunteer',
    async (visit) => {
      await settings(visit);
      await visit.press(visit.button('Ask to be deleted'));
      await heading(visit, 'Ask to be deleted?');
    },
  ],
];
