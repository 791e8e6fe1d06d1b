import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { runningClock } from '../harness.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  type District,
  freePort,
  LOOKS,
  type Look,
  looks,
  open,
  openDistrict,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';
import { withDevice } from './virtual-device.ts';

const clock = runningClock();

const say = words['two-factor'];

let district: District;

let school: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  // Passkeys need a host name, not an IP address.
  const origin = `http://localhost:${await freePort()}`;
  district = { ...(await openDistrict({ PUBLIC_URL: origin }, clock)), origin };
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school, name: 'Garden club' });
});

async function arrive(look: Look = DESKTOP) {
  const person = await aPerson(district, { schools: [school], firstName: 'Maria', lastName: 'Lopez' });
  let device: Awaited<ReturnType<typeof withDevice>> | undefined;
  const before = async (page: Page) => {
    device = await withDevice(page);
  };
  const visit = await open(district, { look, as: person, before });
  if (device === undefined) throw new Error('there is no device');
  return { person, visit, device };
}

const settings = (visit: Visit) => visit.page.getByRole('dialog', { name: words.users.settingsTitle });

async function openSettings(visit: Visit) {
  if (visit.look.device === 'phone') {
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.users.settings }));
  } else await visit.press(visit.button(words.users.settings));
  await settings(visit).getByText(words.auth.thisDevice, { exact: true }).waitFor();
}

async function addPasskey(visit: Visit, name: string) {
  await settings(visit).getByLabel(say.passkeyName).fill(name);
  await visit.page.keyboard.press('Enter');
  await settings(visit).getByText(`You can now sign in with ${name}`, { exact: true }).first().waitFor();
}

const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();

async function signOut(visit: Visit) {
  // The next page removes the token, because the current one may still send requests.
  const script = await visit.page.addInitScript(() => localStorage.removeItem('token'));
  await visit.page.reload();
  await visit.button(words.auth.signIn).waitFor();
  await script.dispose();
}

const MINUTE = 60_000;

describe.each(looks(DESKTOP))('on a $device in $scheme', (look) => {
  test('a user adds a passkey, signs in with it, renames and removes it', async () => {
    const { visit, device } = await arrive(look);
    await openSettings(visit);
    await addPasskey(visit, 'My phone');
    expect(
      await settings(visit)
        .getByRole('heading', { name: say.codesTitle })
        .locator('..')
        .getByRole('listitem')
        .count(),
    ).toBe(10);
    // An account with only passkeys also shows its number of recovery codes, and can create new ones.
    await settings(visit).getByText('10 recovery codes left', { exact: false }).waitFor();
    await settings(visit).getByRole('button', { name: say.renew }).waitFor();
    await inFull(() => expectAccessible(visit.page));
    await visit.page.screenshot({ path: `.cache/e2e/passkeys-settings-${look.device}.png` });
    await device.present(false);
    await signOut(visit);
    await visit.button(say.passkeySignIn).waitFor();
    await inFull(() => expectAccessible(visit.page));
    await visit.page.screenshot({ path: `.cache/e2e/passkeys-login-${look.device}.png` });
    const pressed = visit.press(visit.button(say.passkeySignIn));
    await device.present(true);
    await pressed;
    await atDashboard(visit);
    await openSettings(visit);
    await settings(visit).getByText('Signed in with a passkey', { exact: false }).waitFor();
    await visit.press(settings(visit).getByRole('button', { name: 'Rename My phone' }));
    await settings(visit).getByLabel(say.passkeyName).first().fill('Old phone');
    await visit.page.keyboard.press('Enter');
    const remove = () => visit.press(settings(visit).getByRole('button', { name: 'Remove Old phone' }));
    const question = visit.page.getByRole('alertdialog', { name: say.passkeyRemoveTitle });
    await remove();
    await visit.press(question.getByRole('button', { name: words.web.cancel }));
    await settings(visit).getByText('Old phone', { exact: true }).waitFor();
    await remove();
    await visit.press(question.getByRole('button', { name: words['two-factor'].removeConfirm }));
    await settings(visit)
      .getByText('You can no longer sign in with Old phone', { exact: true })
      .first()
      .waitFor();
  });
});

describe.runIf(IS_FULL).each(LOOKS)('changing the email address on a $device in $scheme', (look) => {
  test('requires re-authentication, and loses no input', async () => {
    const { visit, person } = await arrive(look);
    await openSettings(visit);
    clock.advance(11 * MINUTE);
    const address = `moved-${person.email}`;
    const email = settings(visit).getByLabel(words.users.email, { exact: true });
    await email.fill(address);
    const asked = visit.page.getByRole('dialog', { name: words.auth.freshTitle });
    const save = () => visit.press(settings(visit).getByRole('button', { name: words.users.profileSave }));
    visit.expectFailure('403 PUT /api/profile');
    await save();
    await asked.waitFor();
    const password = asked.getByLabel(words.users.password, { exact: true });
    await password.waitFor();
    // On a phone the on-screen keyboard would cover the dialog's text.
    const isFocused = () => password.evaluate((field) => field === document.activeElement);
    await expect.poll(isFocused).toBe(look.device === 'desktop');
    await expectAccessible(visit.page);
    await visit.page.screenshot({ path: `.cache/e2e/passkeys-fresh-${look.device}.png` });
    await visit.page.keyboard.press('Escape');
    await settings(visit).getByText(words.shared.notConfirmed).first().waitFor();
    expect(await email.inputValue()).toBe(address);
    visit.expectFailure('403 PUT /api/profile');
    await save();
    visit.expectFailure('400 POST /api/auth/fresh');
    await password.fill('not it');
    await visit.page.keyboard.press('Enter');
    await asked.getByText(words.auth.freshWrongPassword).first().waitFor();
    await password.fill(PASSWORD);
    await visit.page.keyboard.press('Enter');
    await settings(visit).getByText(words.users.profileUpdated).first().waitFor();
  });
});

fullTest(
  'a passkey works as the second factor after the password only if the device verifies the user',
  async () => {
    const { visit, device, person } = await arrive();
    await openSettings(visit);
    await addPasskey(visit, 'Laptop');
    await device.present(false);
    await signOut(visit);
    await visit.page.getByLabel(words.users.email, { exact: true }).fill(person.email);
    await visit.page.getByLabel(words.users.password, { exact: true }).fill(PASSWORD);
    await visit.page.keyboard.press('Enter');
    await visit.button(say.passkeyUse).waitFor();
    await expectAccessible(visit.page);
    await visit.page.screenshot({ path: '.cache/e2e/passkeys-second.png' });
    await device.present(true);
    await device.unlocks(false);
    await visit.press(visit.button(say.passkeyUse));
    await visit.sees(say.passkeyCancelled);
    await device.unlocks(true);
    await visit.press(visit.button(say.passkeyUse));
    await atDashboard(visit);
  },
);

fullTest('the browser offers passkeys in the email field', async () => {
  const { visit, device } = await arrive();
  await openSettings(visit);
  await addPasskey(visit, 'Laptop');
  await device.present(false);
  await signOut(visit);
  const field = visit.page.getByLabel(words.users.email, { exact: true });
  await expect.poll(() => field.getAttribute('autocomplete')).toBe('username webauthn');
  await device.present(true);
  await visit.page.reload();
  await atDashboard(visit);
});
