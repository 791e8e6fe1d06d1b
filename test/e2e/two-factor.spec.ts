import { beforeAll, describe, expect, test } from 'vitest';
import { anAuthenticator, codeOf } from '../authenticator.ts';
import { anActivity, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  type District,
  LOOKS,
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

/** Opens a district that requires two-step sign-in of administrators. Returns it and one of them. */
async function aDistrictRequiringTwoFactor(secondFactorGraceDays: number) {
  const other = await openDistrict();
  const head = await aPerson(other, { role: 'admin' });
  await aSchool(other, { name: 'Lincoln Elementary' });
  const body = { secondFactor: 'administrators', secondFactorGraceDays };
  const reply = await other.call('PUT /api/admin/settings', { token: head.token, body });
  expect(reply.status).toBe(200);
  return { other, head };
}

/** Sets up an authenticator app in the dialog, saves the recovery codes, and closes the dialog. */
async function setUpApp(visit: Visit, { clock }: District): Promise<void> {
  await visit.press(visit.button(second.neededSetUp));
  await visit.press(visit.button(second.setUp));
  const secret = (await visit.page.locator('code').innerText()).replaceAll(' ', '');
  await field(visit, second.code).fill(codeOf(secret, clock.now()));
  await visit.press(visit.button(second.confirm));
  await visit.page.getByRole('heading', { name: second.codesTitle }).waitFor();
  // Leaving the tab, for example to use the phone, loses nothing.
  await visit.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  expect(await visit.page.locator('ul.figures li').allInnerTexts()).toHaveLength(10);
  await visit.press(visit.button(second.codesKept));
  await visit.page.getByText('10 recovery codes left.').waitFor();
  await visit.press(visit.page.getByRole('dialog').getByRole('button', { name: words.web.close }));
}

describe.each(looks(PHONE))('on a $device', (device) => {
  test('a user sets up an authenticator in Account Settings, and saves the recovery codes', async () => {
    const vera = await aPerson(district, { schools: [school] });
    const visit = await open(district, { look: device, as: vera });
    await atDashboard(visit);
    await pressAction(visit, words.users.settings);
    // The list above moves the button when it arrives.
    await visit.sees(words.auth.thisDevice);
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

fullTest(
  'an authenticator is removed only after a question, which Escape and Cancel answer with no',
  async () => {
    const vera = await aPerson(district, { schools: [school], isProven: true });
    await anAuthenticator(district, vera);
    const visit = await open(district, { look: DESKTOP, as: vera });
    await atDashboard(visit);
    await pressAction(visit, words.users.settings);
    const question = visit.page.getByRole('alertdialog', { name: second.remove });
    const hasApp = async () =>
      (
        await district.deps.database.db
          .selectFrom('totp_secrets')
          .select('user_id')
          .where('user_id', '=', vera.id)
          .execute()
      ).length;
    for (const leave of [
      () => visit.page.keyboard.press('Escape'),
      () => visit.press(question.getByRole('button', { name: words.web.cancel })),
    ]) {
      await visit.press(visit.button(second.remove));
      await question.getByText(second.removeAsk).waitFor();
      await expectAccessible(visit.page);
      await leave();
      await question.waitFor({ state: 'hidden' });
      expect(await hasApp()).toBe(1);
    }
    await visit.press(visit.button(second.remove));
    await visit.press(question.getByRole('button', { name: second.removeConfirm }));
    await visit.button(second.setUp).waitFor();
    expect(await hasApp()).toBe(0);
  },
);

describe.runIf(IS_FULL).each(LOOKS)(
  'an administrator who must set up two-step sign-in, on a $device',
  (device) => {
    test('is stopped after the grace period until it is set up, and then continues', async () => {
      const { other, head } = await aDistrictRequiringTwoFactor(1);
      const visit = await open(other, { look: device, as: head });
      await toAdminPanel(visit);
      const body = { secondFactorGraceDays: 0 };
      expect((await other.call('PUT /api/admin/settings', { token: head.token, body })).status).toBe(200);
      // Requests of the panel before the requirement has loaded.
      visit.expectFailure(/^403 GET/);
      await visit.page.reload();
      await visit.sees(second.neededNow);
      await expectAccessible(visit.page);
      expect(await visit.page.getByRole('heading', { name: words.web.adminTitle }).count()).toBe(0);
      await setUpApp(visit, other);
      await visit.page.getByRole('heading', { name: words.web.adminTitle }).waitFor();
      await visit.page
        .getByRole('row')
        .filter({ hasText: head.email })
        .or(visit.page.getByText(head.email))
        .first()
        .waitFor();
      await visit.misses(second.neededNow);
    });

    test('sees the deadline on every screen during the grace period', async () => {
      const { other, head } = await aDistrictRequiringTwoFactor(14);
      const visit = await open(other, { look: device, as: head });
      const notice = visit.page.getByRole('complementary', { name: second.neededTitle });
      await notice.waitFor();
      expect(await notice.innerText()).toMatch(/two-step sign-in by [A-Z][a-z]+ \d+/);
      await toAdminPanel(visit);
      await notice.waitFor();
      await expectAccessible(visit.page);
      await setUpApp(visit, other);
      await notice.waitFor({ state: 'detached' });
    });
  },
);

fullTest('volunteers never load the two-step sign-in requirement', async () => {
  const { other } = await aDistrictRequiringTwoFactor(14);
  const pupil = await aPerson(other, {});
  const asked: string[] = [];
  const before = async (page: Visit['page']) => {
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  };
  const visit = await open(other, { look: DESKTOP, as: pupil, before });
  await visit.page.getByRole('heading', { level: 1 }).first().waitFor();
  await visit.page.waitForLoadState('networkidle');
  expect(asked).toContain('/api/profile');
  expect(asked).not.toContain('/api/profile/second-factor');
});

fullTest("an administrator resets a lost second factor in the user's form", async () => {
  const other = await openDistrict();
  const head = await aPerson(other, { role: 'admin' });
  const lost = await aPerson(other, { firstName: 'Lena', lastName: 'Ortiz' });
  await anAuthenticator(other, lost);
  const visit = await open(other, { look: DESKTOP, as: head });
  await toAdminPanel(visit);
  await visit.press(visit.button('Lena Ortiz'));
  await visit.press(visit.button(words.users.resetSecond));
  await expectAccessible(visit.page);
  await visit.press(visit.button(words.users.resetSecond));
  await visit.sees(second.reset.replace('{{name}}', 'Lena Ortiz'));
  expect((await other.call('GET /api/profile', { token: lost.token })).status).toBe(401);
});
