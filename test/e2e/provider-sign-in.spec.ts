import { beforeAll, describe, expect, test } from 'vitest';
import { anAuthenticator, codeOf } from '../authenticator.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { type StandIn, startProvider } from '../oidc/provider.ts';
import { IS_FULL } from '../test-level.ts';
import { DESKTOP, type District, freePort, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectNoBarriers } from './expect-accessible.ts';
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

/** Opens the re-authentication prompt for a volunteer without a password, by changing their address. */
async function openReAuthentication() {
  const { visit, person } = await signInWithProvider();
  const { db } = district.deps.database;
  await db.updateTable('users').set({ password_hash: null }).where('id', '=', person.id).execute();
  await db.updateTable('sessions').set({ proven_at: null }).where('user_id', '=', person.id).execute();
  await visit.press(visit.button(words.users.settings));
  const address = visit.page.getByLabel(words.users.email, { exact: true });
  await address.fill(`moved-${person.email}`);
  visit.expectFailure('403 PUT /api/profile');
  await visit.press(visit.button(words.users.profileSave));
  const again = visit.page.getByRole('button', { name: 'Sign in again with Maple Grove' });
  await again.waitFor();
  return { visit, person, address, again };
}

async function fits(visit: Visit): Promise<void> {
  await expectNoBarriers(visit.page);
  expect(await misfits(visit)).toEqual([]);
}

test('a user links a provider account once, and stays signed in after Back and a reload', async () => {
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

fullTest('declining at the provider shows a message, and leads back to the sign-in form', async () => {
  provider.now.isDeclining = true;
  const visit = await open(district, { look: DESKTOP });
  await leave(visit);
  await visit.page.getByRole('button', { name: 'Allow' }).click();
  await visit.page.getByText(words.auth.providerDeclined).waitFor();
  await visit.press(visit.button(words.users.backToSignIn));
  await visit.page.getByLabel(words.users.email).waitFor();
  provider.now.isDeclining = false;
});

fullTest('signing out also ends the session at the provider, so the next sign-in asks again', async () => {
  const { visit } = await signInWithProvider();
  // A late request of the screen would fail after the session has ended.
  await visit.page.waitForLoadState('networkidle');
  await visit.press(visit.button(words.auth.logout));
  await visit.page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await visit.page.getByLabel(words.users.email).waitFor();
  expect(visit.page.url()).toBe(`${district.origin}/`);
  await visit.page.goBack();
  await visit.page.goto(district.origin);
  await visit.page.getByLabel(words.users.email).waitFor();
  await leave(visit);
});

fullTest(
  "a user without a password re-authenticates in the provider's window, and the input is sent again",
  async () => {
    const { visit, person, address, again } = await openReAuthentication();
    const opening = () => visit.page.waitForEvent('popup').then((window) => ({ window }));

    const [first] = await Promise.all([opening(), again.click()]);
    await first.window.getByRole('button', { name: 'Allow' }).waitFor();
    await first.window.close();
    await visit.page.getByText('If you closed it, click the button again.').waitFor();

    // The provider does not let another user continue an existing session.
    await visit.context.clearCookies();
    provider.now.person = { sub: 'somebody-else', email: 'else@maplegrove.example', email_verified: true };
    const [second] = await Promise.all([opening(), again.click()]);
    visit.expectFailure('400 POST /api/auth/fresh');
    await second.window.getByRole('button', { name: 'Allow' }).click();
    await visit.page.getByText(/The Maple Grove account you used isn't the one linked/).waitFor();
    expect(await address.inputValue()).toBe(`moved-${person.email}`);

    await visit.context.clearCookies();
    provider.now.person = { sub: person.email, email: person.email, email_verified: true };
    const [third] = await Promise.all([opening(), again.click()]);
    const closed = third.window.waitForEvent('close');
    await third.window.getByRole('button', { name: 'Allow' }).click();
    await closed;
    await again.waitFor({ state: 'detached' });
    // The provider account is linked by the current address, and the user could not sign in with another one.
    visit.expectFailure('409 PUT /api/profile');
    await visit.page.getByText(/Maple Grove will no longer sign you in/).waitFor();
    expect(await address.inputValue()).toBe(`moved-${person.email}`);
  },
);

describe.runIf(IS_FULL).each([PHONE, DESKTOP])('provider sign-in on a $device', (look) => {
  test('has accessible pages that fit, and asks for a two-factor code if required', async () => {
    const vera = await aPerson(district, { schools: [school] });
    const secret = await anAuthenticator(district, vera);
    provider.now.person = { sub: `code-${look.device}`, email: vera.email, email_verified: true };
    const visit = await open(district, { look });
    await visit.button('Sign in with Maple Grove').waitFor();
    await fits(visit);
    await leave(visit);
    await visit.page.getByRole('button', { name: 'Allow' }).click();
    await visit.page.getByRole('heading', { name: words.auth.providerLinkTitle }).waitFor();
    visit.expectFailure('401 POST /api/auth/oidc/link');
    await visit.page.getByLabel(words.users.password, { exact: true }).fill('not it');
    await visit.press(visit.button(words.auth.providerLink));
    await visit.sees(words.auth.providerWrongPassword);
    await fits(visit);
    await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
    await visit.press(visit.button(words.auth.providerLink));
    await visit.page.getByRole('heading', { name: words['two-factor'].signInTitle }).waitFor();
    await fits(visit);
    const code = codeOf(secret, district.clock.now());
    await visit.page.getByLabel(words['two-factor'].code, { exact: true }).fill(code);
    await visit.press(visit.button(words.auth.signIn));
    await atDashboard(visit);
  });

  test.each([
    ['/?signin-failed=unbelievable&provider=district', words.auth.providerUnbelievable],
    ['/?signin=no-code-of-this-server', words.auth.providerStartAgain],
    ['/?fresh=no-code-of-this-server', words.auth.freshReturned],
    ['/?fresh-failed=standing&provider=district', words.auth.freshReturned],
  ])('shows an accessible page that fits for %s', async (path, said) => {
    const visit = await open(district, { look, path });
    await visit.sees(said);
    await fits(visit);
    // An unknown code is rejected, and a window that no page opened stays open.
    visit.forgetFaults();
  });
});
