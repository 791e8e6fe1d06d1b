import { beforeAll, describe, expect, test } from 'vitest';
import { anAuthenticator, codeOf } from '../../authenticator.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '../../builders.ts';
import { type StandIn, startProvider } from '../../oidc/provider.ts';
import { DESKTOP, type District, freePort, open, openDistrict, PHONE, type Visit } from '../browser.ts';
import { misfits } from '../check-screens.ts';
import { expectNoBarriers } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

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

test('declining at the provider shows a message, and the password still works', async () => {
  provider.now.isDeclining = true;
  const visit = await open(district, { look: DESKTOP });
  await leave(visit);
  await visit.page.getByRole('button', { name: 'Allow' }).click();
  await visit.page.getByText(words.auth.providerDeclined).waitFor();
  await visit.press(visit.button(words.users.backToSignIn));
  await visit.page.getByLabel(words.users.email).waitFor();
  provider.now.isDeclining = false;
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

test('signing out also ends the session at the provider, so the next sign-in asks again', async () => {
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

test("a user without a password re-authenticates in the provider's window, and the input is sent again", async () => {
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
});

async function fits(visit: Visit): Promise<void> {
  await expectNoBarriers(visit.page);
  expect(await misfits(visit)).toEqual([]);
}

describe.each([PHONE, DESKTOP])('provider sign-in on a $device', (look) => {
  test('has accessible pages that fit, and asks for a code if required', async () => {
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
