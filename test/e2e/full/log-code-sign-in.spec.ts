import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { ensureLogAddress } from '#features/activities/log-codes/server/actions.ts';
import { transaction } from '#server/db/database.ts';
import { anAuthenticator, codeOf } from '../../authenticator.ts';
import { anActivity, anAddress, anAdministrator, aPerson, aSchool, PASSWORD } from '../../builders.ts';
import { linkIn } from '../../mail-server.ts';
import { type StandIn, startProvider } from '../../oidc/provider.ts';
import { emailsSentTo } from '../../sent-emails.ts';
import { DESKTOP, type District, freePort, open, openDistrict, PHONE, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';
import { withDevice } from '../virtual-device.ts';

const second = words['two-factor'];

let district: District;
let provider: StandIn;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let visit: Visit;

beforeAll(async () => {
  // Passkeys need a host name, not an IP address.
  const origin = `http://localhost:${await freePort()}`;
  provider = await startProvider([`${origin}/api/auth/oidc/district/callback`]);
  provider.now.isAsking = true;
  district = await openDistrict({
    PUBLIC_URL: origin,
    OIDC_PROVIDERS: JSON.stringify([provider.settings()]),
    SIGN_IN_LINK: 'on',
    REGISTRATION: 'verify-email',
  });
  district = { ...district, origin };
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  fair = await anActivity(district, { school: lincoln, name: 'Book fair' });
  await anActivity(district, { school: lincoln, name: 'Garden club' });
});

beforeEach(() => () => expect(visit.faults()).toEqual([]));

async function theSheet(): Promise<string> {
  const { code } = await transaction(district.deps.database, (trx) =>
    ensureLogAddress(trx, district.deps, fair.id),
  );
  return `/?log=${code}`;
}

const aMember = () => aPerson(district, { schools: [lincoln], isProven: true });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });

const says = (pattern: RegExp) => visit.page.getByText(pattern).first().waitFor();

/** Expects that the sheet's activity is selected, and that the browser no longer stores its code. */
async function isChosen(page: Page = visit.page): Promise<void> {
  await page.getByRole('heading', { name: 'Book fair', exact: true }).waitFor();
  await expect.poll(() => page.evaluate(() => localStorage.getItem('logCode'))).toBeNull();
}

async function signIn({ email }: { email: string }): Promise<void> {
  await field(words.users.email).fill(email);
  await field(words.users.password).fill(PASSWORD);
  await visit.press(visit.button(words.auth.signIn));
}

async function mailed(email: string, name: 'signin-link' | 'verify'): Promise<string> {
  return `/?${name}=${linkIn((await emailsSentTo(district, email)).at(-1), name)}`;
}

test.each(['the same tab', 'a new tab'])(
  "an emailed link that opens in %s leads to the sheet's activity",
  async (where) => {
    const { email } = await aMember();
    visit = await open(district, { look: PHONE, path: await theSheet() });
    await visit.press(visit.button(words.auth.linkAsk));
    await field(words.users.email).fill(email);
    await visit.press(visit.button(words.auth.linkSend));
    await says(/is on its way/);
    const link = await mailed(email, 'signin-link');
    const page = where === 'the same tab' ? visit.page : await visit.context.newPage();
    await page.goto(`${district.origin}${link}`);
    await isChosen(page);
  },
);

test.each(['is linked here', 'is new here'])(
  "a provider account that %s leads to the sheet's activity",
  async (kind) => {
    const isKnown = kind === 'is linked here';
    const email = isKnown ? (await aMember()).email : anAddress();
    provider.now.person = { sub: email, email, email_verified: true, given_name: 'Nia', family_name: 'New' };
    visit = await open(district, { look: DESKTOP, path: await theSheet() });
    await visit.press(visit.button('Sign in with Maple Grove'));
    await visit.page.getByRole('button', { name: 'Allow' }).click();
    if (isKnown) {
      await field(words.users.password).fill(PASSWORD);
      await visit.press(visit.button(words.auth.providerLink));
      await isChosen();
      return;
    }
    // A new user has no school yet. The note stays until they have one.
    await visit.page.waitForURL((url) => url.origin === district.origin);
    await says(/^This sheet is from Lincoln Elementary/);
    await district.deps.database.db
      .insertInto('user_schools')
      .columns(['user_id', 'school_id', 'status', 'created_at'])
      .expression((eb) =>
        eb
          .selectFrom('users')
          .select([
            'id',
            eb.val(lincoln.id).as('school_id'),
            eb.val('active' as const).as('status'),
            'created_at',
          ])
          .where('email', '=', email),
      )
      .execute();
    await visit.page.reload();
    await isChosen();
  },
);

test("two-step sign-in with an authenticator app leads to the sheet's activity, also after a reload", async () => {
  const vera = await aMember();
  const secret = await anAuthenticator(district, vera);
  visit = await open(district, { look: PHONE, path: await theSheet() });
  await signIn(vera);
  await visit.page.getByRole('heading', { name: second.signInTitle }).waitFor();
  await visit.page.reload();
  await signIn(vera);
  await visit.page.getByRole('heading', { name: second.signInTitle }).waitFor();
  await field(second.code).fill(codeOf(secret, district.clock.now()));
  await visit.press(visit.button(words.auth.signIn));
  await isChosen();
});

test("a passkey leads to the sheet's activity", async () => {
  const vera = await aMember();
  let device: Device | undefined;
  const before = async (page: Page) => {
    device = await withDevice(page);
  };
  visit = await open(district, { look: DESKTOP, as: vera, before });
  await visit.press(visit.button(words.users.settings));
  const settings = visit.page.getByRole('dialog', { name: words.users.settingsTitle });
  await settings.getByLabel(second.passkeyName).fill('My phone');
  await visit.page.keyboard.press('Enter');
  await settings.getByText('You can now sign in with My phone', { exact: true }).first().waitFor();
  // The device must not sign in by itself before the sheet is opened.
  await device?.present(false);
  // The next page removes the token, because the current one may still send requests.
  const script = await visit.page.addInitScript(() => localStorage.removeItem('token'));
  await visit.page.goto(`${district.origin}${await theSheet()}`);
  await visit.button(second.passkeySignIn).waitFor();
  await script.dispose();
  // The browser may offer the passkey by itself before the button is pressed.
  await Promise.allSettled([
    visit.button(second.passkeySignIn).click({ timeout: 3000 }),
    device?.present(true),
  ]);
  await isChosen();
});

test("confirming an address leads to the sheet's activity after sign-in", async () => {
  const email = anAddress();
  visit = await open(district, { look: PHONE, path: await theSheet() });
  await visit.press(visit.button(words.users.toRegister));
  await field(words.users.firstName).fill('Nia');
  await field(words.users.lastName).fill('New');
  await visit.page.getByLabel(words.users.email).fill(email);
  await visit.press(visit.page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
  await visit.press(visit.button(words.users.register));
  await says(/^We sent a link to/);
  await visit.page.goto(`${district.origin}${await mailed(email, 'verify')}`);
  await field(words.users.password).fill(PASSWORD);
  await field(words.users.confirmPassword).fill(PASSWORD);
  await visit.press(visit.button(words.users.register));
  await visit.sees(words.users.accountConfirmed);
  await visit.press(visit.button(words.users.backToSignIn));
  await signIn({ email });
  await isChosen();
});

test('a replaced code and an unapproved school membership are explained', async () => {
  const ada = await anAdministrator(district);
  const old = await theSheet();
  await district.call(`POST /api/admin/activities/${fair.id}/log-code`, {
    token: ada.token,
    body: { renew: true },
  });
  visit = await open(district, { look: PHONE, as: await aMember(), path: old });
  visit.expectFailure('404 POST /api/log-codes/open');
  await says(/^This code no longer belongs to an activity/);
  expect(visit.faults()).toEqual([]);
  const ben = await aMember();
  await district.deps.database.db
    .updateTable('user_schools')
    .set({ status: 'pending' })
    .where('user_id', '=', ben.id)
    .execute();
  visit = await open(district, { look: PHONE, as: ben, path: await theSheet() });
  await says(/^This sheet is from Lincoln Elementary, which hasn't approved your request yet/);
});

type Device = Awaited<ReturnType<typeof withDevice>>;
