import type { Page } from 'playwright-core';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { anAdministrator, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { startMailServer } from '../mail-server.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  LOOKS,
  type Look,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type VisitOptions,
} from './browser.ts';
import { misfits } from './check-screens.ts';
import { expectAccessible } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

async function aDistrict(environment: Record<string, string> = {}) {
  const district = await openDistrict({ DISTRICT_NAME: '', SUPPORT_EMAIL: '', ...environment });
  const ada = await anAdministrator(district);
  const settings = async (options: VisitOptions = {}) => {
    const visit = await open(district, { as: ada, ...options });
    await toAdminPanel(visit);
    if (visit.look.device === 'phone') {
      await visit.press(visit.button(words.web.system).locator('visible=true'));
      await visit.press(visit.button(words.operations.settingsOpen));
    } else await visit.press(visit.button(words.web.districtSettings).locator('visible=true'));
    await visit.page.getByLabel(words['district-settings'].settingsName).waitFor();
    return visit;
  };
  return { district, ada, settings };
}

const openFirstSteps = { isOpen: true, putAway: [] };

async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    Object.assign(globalThis, { shifts: [] });
    new PerformanceObserver((list) => {
      for (const shift of list.getEntries()) Object(globalThis).shifts.push(Object(shift).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

async function shiftsOf(page: Page): Promise<number> {
  const shifts = await page.evaluate<number[]>(() => Object(globalThis).shifts);
  return shifts.reduce((sum, shift) => sum + shift, 0);
}

test('an administrator names the district, sets up email, and sends a test email', async () => {
  const server = await startMailServer();
  const { ada, settings } = await aDistrict();
  const visit = await settings({ look: DESKTOP });
  const { page, press, button } = visit;
  await page.getByLabel(words['district-settings'].settingsName).fill('Cedar Valley');
  await press(button(words['district-settings'].settingsSaveDistrict));
  await visit.sees(words.retention.saved);
  await press(page.getByRole('radio', { name: words['district-settings'].registrationInvite }));
  await press(button(words['district-settings'].settingsSaveAccess));
  await press(button(words['district-settings'].postServerEnter));
  await page.getByLabel(words['district-settings'].postHost, { exact: true }).fill('127.0.0.1');
  await page.getByLabel(words['district-settings'].postPort, { exact: true }).fill('1');
  await page.getByLabel(words['district-settings'].postSecurity, { exact: true }).selectOption('none');
  await press(button(words['district-settings'].postServerSave));
  visit.expectFailure('409 POST /api/admin/settings/test-mail');
  await press(button(words['district-settings'].postTest));
  await page.getByText("We couldn't reach a mail server at 127.0.0.1").first().waitFor();
  await press(button(words['district-settings'].postServerChange));
  await page.getByLabel(words['district-settings'].postHost, { exact: true }).fill('127.0.0.1');
  await page.getByLabel(words['district-settings'].postPort, { exact: true }).fill(String(server.port));
  await page.getByLabel(words['district-settings'].postSecurity, { exact: true }).selectOption('none');
  await press(button(words['district-settings'].postServerSave));
  await press(button(words['district-settings'].postTest));
  await page.getByText(`accepted a test email to ${ada.email}`).first().waitFor();
  expect((await server.letters())[0]?.subject).toBe('Test email from Cedar Valley');
});

describe.runIf(IS_FULL).each(LOOKS)('on a $device in $scheme', (look) => {
  test('the settings and the first steps are accessible and fit the screen', async () => {
    const { district, ada, settings } = await aDistrict();
    await district.call('PUT /api/admin/first-run', { token: ada.token, body: openFirstSteps });
    const visit = await settings({ look });
    await visit.press(visit.button(words['district-settings'].postServerEnter));
    expect(await misfits(visit)).toEqual([]);
    await expectAccessible(visit.page);
    const steps = await open(district, { as: ada, look });
    await toAdminPanel(steps);
    await steps.page.getByRole('heading', { name: words.operations.firstTitle }).waitFor();
    expect(await misfits(steps)).toEqual([]);
    await expectAccessible(steps.page);
  });
});

fullTest.each(LOOKS)(
  'a district logo is uploaded, shown without a layout shift, and removed: $device, $scheme',
  async (look) => {
    const { district, settings } = await aDistrict();
    const visit = await settings({ look });
    const { page, press, button } = visit;
    const badge = sharp({ create: { width: 600, height: 150, channels: 4, background: '#12305a' } });
    const field = page.getByRole('group', { name: words.schools.logo });
    await field
      .locator('input[type=file]')
      .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await press(button(words['district-settings'].settingsSaveLogo));
    await visit.sees(words.schools.logoType);
    await field
      .locator('input[type=file]')
      .setInputFiles({ name: 'badge.png', mimeType: 'image/png', buffer: await badge.png().toBuffer() });
    await press(button(words['district-settings'].settingsSaveLogo));
    await visit.sees(words.schools.districtLogoSaved);
    await page.locator('header').getByRole('img', { name: 'Our School District' }).waitFor();
    const again = await settings({ look });
    expect(await misfits(again)).toEqual([]);
    await expectAccessible(again.page);

    const school = await aSchool(district);
    const home = await open(district, { as: await aPerson(district, { schools: [school] }), look });
    await home.page.locator('header').getByRole('img', { name: 'Our School District' }).waitFor();
    const login = await open(district, { look, before: watchShifts });
    await login.page.getByRole('img', { name: 'Our School District' }).waitFor();
    expect(await shiftsOf(login.page)).toBeLessThan(0.05);
    expect(await misfits(login)).toEqual([]);
    await expectAccessible(login.page);

    const check = await open(district, { look, path: '/?letter=K7QM', before: watchShifts });
    await check.page.getByRole('heading', { name: 'Check a service letter' }).waitFor();
    await check.page.getByRole('img', { name: 'Our School District' }).waitFor();
    expect(await shiftsOf(check.page)).toBeLessThan(0.05);
    expect(await misfits(check)).toEqual([]);

    await press(field.getByRole('button', { name: words.schools.logoRemove }));
    await press(button(words['district-settings'].settingsSaveLogo));
    await visit.sees(words.schools.districtLogoRemoved);
    await page.locator('header').getByRole('img').waitFor({ state: 'detached' });
    expect((await district.call('GET /api/config')).body.logo).toBeUndefined();
  },
);

fullTest.each(LOOKS)(
  'users without access to photos are shown and approved, one by one or together: $device, $scheme',
  async (look) => {
    const { district, ada } = await aDistrict();
    await district.call('PUT /api/admin/settings', { token: ada.token, body: { photosSeenBy: 'approved' } });
    const school = await aSchool(district, { name: 'Lincoln' });
    for (const firstName of ['Sam', 'Tess', 'Uma']) {
      const body = {
        ...{ firstName, lastName: 'Self', email: `${firstName}@maplegrove.example` },
        ...{ password: 'maple-lantern-42', schoolIds: [school.id] },
      };
      expect((await district.call('POST /api/auth/register', { body })).status).toBe(201);
    }
    const visit = await open(district, { as: ada, look });
    const { page, press, button } = visit;
    await toAdminPanel(visit);
    const badges = page.getByText(words.users.photosHidden, { exact: true }).locator('visible=true');
    await expect.poll(() => badges.count()).toBe(3);
    expect(await misfits(visit)).toEqual([]);
    await press(page.getByRole('button', { name: /^Sam Self/ }));
    await visit.sees('Not approved for photos at Lincoln');
    await expectAccessible(page);
    // These addresses are not confirmed.
    const anyway = page.getByRole('alertdialog').getByRole('button', { name: words.users.goOnAnyway });
    visit.expectFailure('409 POST /api/admin/users/many');
    await press(page.getByRole('dialog').getByRole('button', { name: words.users.approveMany }));
    await press(anyway);
    await visit.sees('1 person approved for photos');
    await expect.poll(() => badges.count()).toBe(2);
    await page.getByRole('checkbox', { name: 'Select Tess Self' }).check();
    await page.getByRole('checkbox', { name: 'Select Uma Self' }).check();
    await press(button(words.users.approveMany));
    await visit.sees('2 people will see the photos of their schools, including pictures of children.');
    visit.expectFailure('409 POST /api/admin/users/many');
    await press(page.getByRole('alertdialog').getByRole('button', { name: words.users.approveMany }));
    await press(anyway);
    await visit.sees('2 people approved for photos');
    await expect.poll(() => badges.count()).toBe(0);
  },
);

fullTest('settings from the environment are read-only, and leaving unsaved input asks first', async () => {
  const { settings } = await aDistrict({ DISTRICT_NAME: 'Maple Grove', REGISTRATION: 'approval' });
  const visit = await settings({ look: DESKTOP });
  const name = visit.page.getByLabel(words['district-settings'].settingsName);
  expect([await name.inputValue(), await name.getAttribute('readonly')]).toEqual(['Maple Grove', '']);
  expect(await visit.page.getByText(words['district-settings'].settingsSetByServerHint).count()).toBe(3);
  expect(await visit.page.getByRole('radio').count()).toBe(2);
  await visit.page.getByLabel(words['district-settings'].settingsEmail).fill('help@cedar.example');
  await visit.press(visit.page.getByRole('tab', { name: words.users.title }));
  await visit.press(visit.button(words.web.keepEditing));
  expect(await visit.page.getByLabel(words['district-settings'].settingsEmail).inputValue()).toBe(
    'help@cedar.example',
  );
});

fullTest('on a phone, only the next of the first steps is open, and the keyboard opens others', async () => {
  const { district, ada } = await aDistrict();
  await district.call('PUT /api/admin/first-run', { token: ada.token, body: openFirstSteps });
  const visit = await open(district, { as: ada, look: PHONE });
  const { page, press, button } = visit;
  await toAdminPanel(visit);
  const card = page.getByRole('heading', { name: words.operations.firstTitle }).locator('xpath=../../..');
  await card.waitFor();
  await button('Open: Who can register and who sees photos').waitFor();
  expect(await page.getByRole('button', { name: /^Open: / }).count()).toBe(1);
  expect((await card.boundingBox())?.height).toBeLessThan(720);
  const school = button(words.operations.firstSchool);
  expect(await school.getAttribute('aria-expanded')).toBe('false');
  await school.focus();
  await page.keyboard.press('Enter');
  await button('Open: Your first school').waitFor();
  expect(await page.getByRole('button', { name: /^Open: / }).count()).toBe(1);
  await press(button('Skip: Your first school'));
  await visit.sees('3 of 9 done');
  await button('Open: Who can register and who sees photos').waitFor();
  await press(page.getByRole('button', { name: words.operations.firstPast }));
  await button('Undo skip: Your first school').waitFor();
  expect(await misfits(visit)).toEqual([]);
  await expectAccessible(page);
});

fullTest.each<Look>([DESKTOP, PHONE])(
  'on a $device, opening one of the first steps scrolls to its list',
  async (look) => {
    const { district, ada } = await aDistrict();
    await district.call('PUT /api/admin/first-run', { token: ada.token, body: openFirstSteps });
    const visit = await open(district, { as: ada, look });
    const { page, press, button } = visit;
    await toAdminPanel(visit);
    // A window so low that even a list of one row can be scrolled to.
    await page.setViewportSize({ width: look.device === 'phone' ? 390 : 1280, height: 420 });
    const list = page.getByRole('searchbox').first();
    // From the same tab, and from another one.
    for (const tab of [words.users.title, words.schools.title]) {
      await press(page.getByRole('tab', { name: tab }));
      if (look.device === 'phone') await press(button(words.operations.firstPeople));
      await press(button(`Open: ${words.operations.firstPeople}`));
      await expect.poll(async () => (await list.boundingBox())?.y ?? 9_999).toBeLessThan(300);
      await page.evaluate(() => scrollTo(0, 0));
    }
  },
);

fullTest('the first steps can be skipped or hidden, and shown again from System', async () => {
  const { district, ada } = await aDistrict();
  await district.call('PUT /api/admin/first-run', { token: ada.token, body: openFirstSteps });
  const visit = await open(district, { as: ada, look: DESKTOP });
  const { page, press, button } = visit;
  await toAdminPanel(visit);
  await press(page.getByRole('tab', { name: words.categories.title }));
  const title = page.getByRole('heading', { name: words.operations.firstTitle });
  await title.waitFor();
  expect(await page.getByText(words.schools.noneYet).count()).toBe(0);
  await press(button('Skip: Nightly backups'));
  await visit.sees('3 of 9 done');
  await press(button('Open: Your first school'));
  await button(words.schools.add).waitFor();
  await press(button(words.operations.firstHide));
  await title.waitFor({ state: 'detached' });
  await press(page.getByRole('tab', { name: words.categories.title }));
  await visit.sees(words.schools.noneYet);
  await press(button(words.web.system).locator('visible=true'));
  await press(button(words.operations.stepsShow));
  await title.waitFor();
  await visit.sees('2 of 9 done');
  const volunteer = await aPerson(district);
  expect((await district.call('GET /api/admin/first-run', { token: volunteer.token })).status).toBe(403);
});
