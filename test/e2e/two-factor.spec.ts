import { beforeAll, describe, expect, test } from 'vitest';
import { anAuthenticator, codeOf } from '../authenticator.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import {
  DESKTOP,
  type District,
  looks,
  open,
  openDistrict,
  PHONE,
  pressAction,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

const second = words['two-factor'];

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;

beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school, name: 'Garden club' });
});

const atDashboard = (visit: Visit) =>
  visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
const field = (visit: Visit, label: string) => visit.page.getByLabel(label, { exact: true });

async function signIn(visit: Visit, { email }: { email: string }): Promise<void> {
  await field(visit, words.users.email).fill(email);
  await field(visit, words.users.password).fill(PASSWORD);
  await visit.press(visit.button(words.auth.signIn));
}

describe.each(looks(PHONE))('on a $device', (device) => {
  test('a user sets up an authenticator in Account Settings, and saves the recovery codes', async () => {
    const vera = await aPerson(district, { schools: [school] });
    const visit = await open(district, { look: device, as: vera });
    await atDashboard(visit);
    await pressAction(visit, words.users.settings);
    await visit.press(visit.button(second.setUp));
    const code = visit.page.getByRole('img', { name: second.qrCode });
    await code.scrollIntoViewIfNeeded();
    await expectAccessible(visit.page);
    const secret = (await visit.page.locator('code').innerText()).replaceAll(' ', '');
    visit.expectFailure('400 POST /api/profile/second-factor/totp/confirm');
    await field(visit, second.code).fill('000 000');
    await visit.press(visit.button(second.confirm));
    await visit.sees(second.wrongFirstCode);
    await field(visit, second.code).fill(codeOf(secret, district.clock.now()));
    await visit.press(visit.button(second.confirm));
    await visit.page.getByRole('heading', { name: second.codesTitle }).waitFor();
    await expectAccessible(visit.page);
    const codes = await visit.page.locator('ul.figures li').allInnerTexts();
    expect(codes).toHaveLength(10);
    // The codes are shown only once, so nothing that closes the dialog may discard them.
    await visit.page.keyboard.press('Escape');
    await visit.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await pressAction(visit, words.users.settings);
    await visit.page.getByRole('heading', { name: second.codesTitle }).waitFor();
    expect(await visit.page.locator('ul.figures li').allInnerTexts()).toEqual(codes);
    const [saved] = await Promise.all([
      visit.page.waitForEvent('download'),
      visit.press(visit.button(second.download)),
    ]);
    expect(saved.suggestedFilename()).toBe('recovery-codes.txt');
    await visit.press(visit.button(second.codesKept));
    await visit.page.getByText('10 recovery codes left', { exact: false }).waitFor();
    await expectAccessible(visit.page);
  });

  test('a user signs in with a code; a wrong one shows an error, and Back returns to the first step', async () => {
    const vera = await aPerson(district, { schools: [school] });
    const secret = await anAuthenticator(district, vera);
    const visit = await open(district, { look: device });
    await signIn(visit, vera);
    await visit.page.getByRole('heading', { name: second.signInTitle }).waitFor();
    const code = field(visit, second.code);
    expect([await code.getAttribute('autocomplete'), await code.getAttribute('inputmode')]).toEqual([
      'one-time-code',
      'numeric',
    ]);
    await expectAccessible(visit.page);
    visit.expectFailure('401 POST /api/auth/second-factor');
    await code.fill('000000');
    await visit.press(visit.button(words.auth.signIn));
    await visit.sees(second.wrongCode);
    await visit.press(visit.button(second.toRecoveryCode));
    await field(visit, second.recoveryCode).waitFor();
    await expectAccessible(visit.page);
    await visit.page.goBack();
    await visit.page.getByRole('heading', { name: words.auth.signInTitle }).waitFor();
    expect(await field(visit, words.users.email).inputValue()).toBe(vera.email);
    expect(await field(visit, words.users.password).inputValue()).toBe('');
    await signIn(visit, vera);
    const right = codeOf(secret, district.clock.now());
    await field(visit, second.code).fill(` ${right.slice(0, 3)} ${right.slice(3)} `);
    await field(visit, second.code).press('Enter');
    await atDashboard(visit);
  });
});

test('an administrator makes two-step sign-in mandatory for administrators on the System screen', async () => {
  const other = await openDistrict();
  const head = await aPerson(other, { role: 'admin' });
  const visit = await open(other, { look: DESKTOP, as: head });
  await toAdminPanel(visit);
  await visit.press(visit.button('System'));
  const who = visit.page.getByRole('combobox', { name: words.retention.demandWho });
  await who.scrollIntoViewIfNeeded();
  await who.selectOption('administrators');
  await visit.page.getByLabel(words.retention.demandDays).fill('7');
  await expectAccessible(visit.page);
  const form = visit.page.locator('form').filter({ has: who });
  await visit.press(form.getByRole('button', { name: words.retention.demandSave }));
  await visit.sees(words.retention.saved);
  // The requirement also applies to the administrator who turns it on, so the notice appears immediately.
  await visit.page.getByRole('complementary', { name: second.neededTitle }).waitFor();
});
