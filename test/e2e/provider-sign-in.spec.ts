import { beforeAll, expect, test } from 'vitest';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { type StandIn, startProvider } from '../oidc/provider.ts';
import { DESKTOP, type District, freePort, open, openDistrict, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let provider: StandIn;
let school: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const oidc = `${origin}/api/auth/oidc/district`;
  provider = await startProvider([`${oidc}/callback`], {
    post_logout_redirect_uris: [`${origin}/`],
    backchannel_logout_uri: `${oidc}/backchannel-logout`,
    backchannel_logout_session_required: true,
  });
  provider.now.isAsking = true;
  district = await openDistrict({
    PUBLIC_URL: origin,
    OIDC_PROVIDERS: JSON.stringify([provider.settings()]),
  });
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school, name: 'Garden club' });
});

const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

async function leave(visit: Visit): Promise<void> {
  await visit.press(visit.button('Sign in with Maple Grove'));
  await visit.page.getByRole('button', { name: 'Allow' }).waitFor();
}

test('a user links the district account once, and stays signed in after Back and a reload', async () => {
  const vera = await aPerson(district, { schools: [school], firstName: 'Vera' });
  provider.now.person = { sub: 'vera', email: vera.email, email_verified: true };
  const visit = await open(district, { look: DESKTOP });
  await leave(visit);
  await visit.page.getByRole('button', { name: 'Allow' }).click();
  await visit.page.getByRole('heading', { name: words.auth.providerLinkTitle }).waitFor();
  expect(new URL(visit.page.url()).search).toBe('');
  visit.expectFailure('401 POST /api/auth/oidc/link');
  await visit.page.getByLabel(words.users.password, { exact: true }).fill('not it');
  await visit.press(visit.button(words.auth.providerLink));
  await visit.page.getByText(words.auth.providerWrongPassword).waitFor();
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.press(visit.button(words.auth.providerLink));
  await atDashboard(visit);
  await visit.page.reload();
  await atDashboard(visit);
  await visit.page.goBack();
  await visit.page.goto(district.origin);
  await atDashboard(visit);
  await visit.press(visit.button(words.users.settings));
  await visit.press(visit.button('Remove Maple Grove'));
  await visit.page.getByText('You can no longer sign in here with Maple Grove').waitFor();
});

test('a new user gets an account, even if two sign-in windows started at the same time', async () => {
  const email = 'nora@maplegrove.example';
  provider.now.person = { sub: 'nora', email, email_verified: true, given_name: 'Nora', family_name: 'New' };
  const first = await open(district, { look: DESKTOP });
  await leave(first);
  const second = await first.context.newPage();
  await second.goto(`${district.origin}/api/auth/oidc/district/start`);
  await second.getByRole('button', { name: 'Allow' }).click();
  await second.waitForURL((url) => url.origin === district.origin);
  await first.page.getByRole('button', { name: 'Allow' }).click();
  await first.page.waitForURL((url) => url.origin === district.origin);
  const token = () => first.page.evaluate(() => Object.values(localStorage).join(' '));
  await expect.poll(token).toMatch(/[\w-]{43}/);
  const rows = await district.deps.database.db
    .selectFrom('users')
    .select('id')
    .where('email', '=', email)
    .execute();
  expect(rows).toHaveLength(1);
  await second.close();
});

/** Signs in a volunteer through a linked provider account. */
async function signInWithProvider() {
  const person = await aPerson(district, { schools: [school] });
  provider.now.person = { sub: person.email, email: person.email, email_verified: true };
  const visit = await open(district, { look: DESKTOP });
  await leave(visit);
  await visit.page.getByRole('button', { name: 'Allow' }).click();
  await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
  await visit.press(visit.button(words.auth.providerLink));
  await atDashboard(visit);
  return { visit, person };
}

test('signing out at the provider ends the session here through a back-channel request', async () => {
  const { visit, person } = await signInWithProvider();
  const there = await visit.context.newPage();
  await there.goto(`${provider.issuer}/session/end`);
  await there.getByRole('button', { name: 'Yes, sign me out' }).click();
  await there.getByText('Signed out there').waitFor();
  const { db } = district.deps.database;
  const left = () =>
    db
      .selectFrom('sessions')
      .select('id')
      .where('user_id', '=', person.id)
      .where('provider_session', 'is not', null)
      .execute();
  await expect.poll(left).toEqual([]);
  await there.close();
  await visit.page.reload();
  await visit.page.getByLabel(words.users.email).waitFor();
  // Requests of the page when it came to the front or loaded. The server rejects all of them by now.
  visit.forgetFaults();
});
