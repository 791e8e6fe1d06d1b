import type { Route } from 'playwright-core';
import type { Visit } from './browser.ts';

import type { Screen } from './screens.ts';
import { saying, words } from './spoken-language.ts';

const heading = (visit: Visit, name: string) => visit.page.getByRole('heading', { name }).waitFor();
const field = (visit: Visit, label: string) => visit.page.getByLabel(label, { exact: true });

/** Changes a request's reply, for a state that this district is never in. */
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
  await visit.press(visit.button(words.auth.toForgot));
  await heading(visit, words.auth.forgotTitle);
}

async function settings(visit: Visit) {
  await visit.page.goto('/');
  if (visit.look.device === 'phone') {
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.users.settings }));
  } else {
    await visit.press(visit.button(words.users.settings));
  }
  await visit.sees(words.auth.thisDevice);
  await heading(visit, words.web.onThisDevice);
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
      await field(visit, words.users.email).fill('');
      await visit.press(visit.button(words.auth.forgotSend));
      await visit.sees(words.users.emailRequired);
    },
  ],
  [
    'a reset link on its way',
    'stranger',
    async (visit) => {
      await forgot(visit);
      // Must not redirect to sign-in during the check.
      await visit.page.evaluate(() => {
        const later = globalThis.setTimeout;
        const unlessLeaving = (act: () => void, ms?: number) => (ms === 5_000 ? 0 : later(act, ms));
        Object.assign(globalThis, { setTimeout: unlessLeaving });
      });
      await field(visit, words.users.email).fill('nobody@maplegrove.example');
      await visit.press(visit.button(words.auth.forgotSend));
      await heading(visit, words.users.forgotDoneTitle);
    },
  ],
  [
    'sign in where accounts are made by invitation',
    'stranger',
    async (visit) => {
      await change(visit, '**/api/config', (body) => ({ ...body, registration: 'invite' }));
      await visit.page.goto('/');
      await visit.sees(saying('users:registrationClosed', { email: 'help@maplegrove.example' }));
    },
  ],
  [
    'an invitation',
    'stranger',
    async (visit) => {
      const invite = { email: 'a.rather.long.address@maplegrove.example', role: 'user', schools: SCHOOLS };
      await answer(visit, '**/api/auth/invites/*', { invite });
      await visit.page.goto('/?invite=made-up');
      await heading(visit, words.users.registerTitle);
      await visit.sees(words.users.inviteEmail);
    },
  ],
  [
    'an invitation that is none',
    'stranger',
    async (visit) => {
      visit.expectFailure(/^40\d GET \/api\/auth\/invites/);
      await visit.page.goto('/?invite=made-up');
      await heading(visit, words.users.joinTitle);
    },
  ],
  [
    'an address that is confirmed',
    'stranger',
    async (visit) => {
      await confirming(visit, { message: words.users.emailConfirmed });
      await heading(visit, words.users.confirmedTitle);
    },
  ],
  [
    'a confirmation link that is none',
    'stranger',
    async (visit) => {
      await confirming(visit, { error: words.users.invalidConfirmation }, 400);
      await heading(visit, words.users.confirmInvalidTitle);
    },
  ],
  [
    'a school that waits for approval',
    'volunteer',
    async (visit) => {
      await change(visit, '**/api/profile', pending([]));
      await visit.page.goto('/');
      await heading(visit, saying('users:waitingTitle', { firstName: 'Vera' }));
    },
  ],
  [
    'an invitation for somebody signed in',
    'volunteer',
    async (visit) => {
      const invite = { email: 'vera@elsewhere.example', role: 'user', schools: SCHOOLS };
      await answer(visit, '**/api/auth/invites/*', { invite });
      await visit.page.goto('/?invite=made-up');
      await visit.sees(words.users.inviteForAnother);
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
      await visit.page.getByRole('checkbox', { name: words.users.waiting }).waitFor();
    },
  ],
  [
    'account settings with faults',
    'volunteer',
    async (visit) => {
      await settings(visit);
      await field(visit, words.users.firstName).fill('');
      await visit.press(visit.button(words.users.profileSave));
      await visit.sees(words.users.namesRequired);
      await field(visit, words.users.newPassword).fill('five5');
      await visit.press(visit.button(words.auth.changePassword));
      await visit.sees(words.auth.newPasswordsDiffer);
    },
  ],
  [
    'the question about being deleted',
    'volunteer',
    async (visit) => {
      await settings(visit);
      await visit.press(visit.button(words.privacy.eraseAsk));
      await heading(visit, words.privacy.eraseTitle);
    },
  ],
];
