import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool, PASSWORD } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  LOOKS,
  type Look,
  open,
  openDistrict,
  PHONE,
  stepsToGoBack,
  type Visit,
} from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let person: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  await aSchool(district, { name: 'Cedar Middle' });
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
});

const dialog = () => visit.page.getByRole('dialog', { name: words.users.settingsTitle });
const field = (label: string) => dialog().getByLabel(label, { exact: true });
const button = (name: string) => dialog().getByRole('button', { name, exact: true });
const box = (name: string) => dialog().getByRole('checkbox', { name });

async function openSettings() {
  if (visit.look.device === 'phone') {
    await visit.press(visit.button(words.web.menu));
    await visit.press(visit.page.getByRole('menuitem', { name: words.users.settings }));
  } else {
    await visit.press(visit.button(words.users.settings));
  }
  await dialog().getByText(words.auth.thisDevice, { exact: true }).waitFor();
}

/** Opens the settings of a new volunteer at Lincoln. */
async function arrive(look: Look = DESKTOP) {
  person = await aPerson(district, { schools: [lincoln], firstName: 'Maria', lastName: 'Lopez' });
  visit = await open(district, { look, as: person });
  await openSettings();
}

async function changePassword(current: string, next: string, again = next) {
  await field(words.auth.currentPassword).fill(current);
  await field(words.users.newPassword).fill(next);
  await field(words.auth.confirmNewPassword).fill(again);
  await visit.press(button(words.auth.changePassword));
}

describe('the profile form', () => {
  beforeEach(() => arrive());

  test.each<[string, () => Promise<unknown>]>([
    ['First name and last name are required', () => field(words.users.firstName).fill(' ')],
    ['First name and last name are required', () => field(words.users.lastName).fill('')],
    ['Email address is required', () => field(words.users.email).fill('')],
    ['Please enter a valid email address', () => field(words.users.email).fill('maria at home')],
    [
      'An account with this email already exists',
      async () => {
        visit.expectFailure('409 PUT /api/profile');
        const { email } = await aPerson(district, { schools: [lincoln] });
        await field(words.users.email).fill(email);
      },
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt('PUT /api/profile', 'no answer');
        await field(words.users.firstName).fill('Mary');
      },
    ],
    [
      'Request failed',
      async () => {
        await visit.breakAt('PUT /api/profile', 503);
        await field(words.users.firstName).fill('Mary');
      },
    ],
  ])('shows the specified message: %s', async (sentence, type) => {
    await type();
    await button(words.users.profileSave).click();
    await visit.sees(sentence);
  });

  test('requires at least one school, and can replace the only one', async () => {
    await box('Lincoln Elementary').click();
    await visit.sees(words.users.lastSchool);
    expect(await box('Lincoln Elementary').isChecked()).toBe(true);
    await box('Cedar Middle').click();
    await visit.misses(words.users.lastSchool);
    await box('Lincoln Elementary').click();
    await button(words.users.profileSave).click();
    await visit.sees(words.users.profileUpdated);
    await visit.page.waitForEvent('load');
    await visit.sees('Cedar Middle');
  });
});

test('a user without a school selects one in Settings', async () => {
  person = await aPerson(district, { firstName: 'Noor' });
  visit = await open(district, { as: person });
  await visit.sees(words.users.noSchool);
  await visit.button(words.users.chooseSchool).click();
  await field(words.users.firstName).fill('Nora');
  await button(words.users.profileSave).click();
  await visit.sees(words.users.schoolRequired);
  await box('Lincoln Elementary').click();
  await button(words.users.profileSave).click();
  await visit.sees(words.users.profileUpdated);
  await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
});

test('an administrator saves the profile without a school', async () => {
  visit = await open(district, { as: await anAdministrator(district) });
  await openSettings();
  await dialog().getByText(words.users.roleAdmin, { exact: true }).waitFor();
  await field(words.users.firstName).fill('Adele');
  await button(words.users.profileSave).click();
  await visit.sees(words.users.profileUpdated);
  await visit.page.waitForEvent('load');
  await visit.sees('Adele');
});

describe('the password form', () => {
  beforeEach(() => arrive());

  test.each<[string, () => Promise<unknown>]>([
    ['Current password is required', () => changePassword('', 'harbor-lantern-9')],
    ['New password must be at least 6 characters', () => changePassword(PASSWORD, 'five5')],
    ['New passwords do not match', () => changePassword(PASSWORD, 'harbor-lantern-9', 'another one')],
    [
      'Your current password is not correct',
      () => {
        visit.expectFailure('400 PUT /api/auth/change-password');
        return changePassword('not hers at all', 'harbor-lantern-9');
      },
    ],
    [
      'This password is one of the most common ones. Please choose another.',
      () => {
        visit.expectFailure('400 PUT /api/auth/change-password');
        return changePassword(PASSWORD, 'password1');
      },
    ],
    [
      'Network error. Please try again.',
      async () => {
        await visit.breakAt('PUT /api/auth/change-password', 'no answer');
        await changePassword(PASSWORD, 'harbor-lantern-9');
      },
    ],
  ])('shows the specified message: %s', async (sentence, act) => {
    await act();
    await visit.sees(sentence);
    expect(await visit.stored('token')).toBe(person.token);
  });
});

describe('Account Settings', () => {
  test('applies the chosen color theme until the user follows the device again', async () => {
    await arrive(PHONE);
    const ground = () =>
      visit.page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const [light, dark] = ['rgb(246, 247, 245)', 'rgb(17, 21, 19)'];
    await expect.poll(ground).toBe(light);
    await visit.press(dialog().getByRole('radio', { name: words.web.themeDark }));
    await expect.poll(ground).toBe(dark);
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
    await expect.poll(ground).toBe(dark);
    expect(await visit.stored('theme')).toBe('dark');
    await visit.page.emulateMedia({ media: 'print' });
    const ink = () => visit.page.evaluate(() => getComputedStyle(document.documentElement).color);
    await expect.poll(ink).toBe('rgb(0, 0, 0)');
    await visit.page.emulateMedia({ media: 'screen', colorScheme: 'dark' });
    await openSettings();
    await visit.press(dialog().getByRole('radio', { name: words.web.themeLight }));
    await expect.poll(ground).toBe(light);
    await visit.press(dialog().getByRole('radio', { name: words.web.themeDevice }));
    await expect.poll(ground).toBe(dark);
    expect(await visit.stored('theme')).toBeNull();
  });

  test('can turn keyboard shortcuts off, and they stay off', async () => {
    await arrive();
    await dialog().getByRole('checkbox', { name: words.web.shortcutsOn }).uncheck();
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => stepsToGoBack(visit.page)).toBe(0);
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
    await visit.page.keyboard.press('?');
    expect(await visit.page.getByRole('dialog').count()).toBe(0);
  });

  test.each(LOOKS)("downloads the user's data on a $device, without a token in a URL", async (look) => {
    await arrive(look);
    const activity = await anActivity(district, { school: lincoln, name: `Garden ${look.device}` });
    await anEntry(district, { by: person, activity, hours: 2.25, notes: 'Watered the beans' });
    const addresses: string[] = [];
    visit.page.on('request', (request) => addresses.push(request.url()));
    const saved = async (name: string) => {
      const file = visit.page.waitForEvent('download');
      await visit.press(button(name));
      const download = await file;
      return {
        name: download.suggestedFilename(),
        text: await readFile(await download.path(), 'utf8'),
      };
    };
    const all = await saved('Everything (JSON)');
    expect(all.name).toMatch(/\.json$/);
    expect(JSON.parse(all.text).profile.email).toBe(person.email);
    const hours = await saved('Hours (CSV)');
    expect(hours.name).toMatch(/\.csv$/);
    expect(hours.text).toContain('2.25');
    expect(hours.text).toContain('Watered the beans');
    expect(addresses.filter((address) => address.includes(person.token))).toEqual([]);
  });

  test('shows an error in place if a download fails', async () => {
    await arrive();
    await visit.breakAt('GET /api/profile/data', 'no answer');
    await button(words.privacy.downloadCsv).click();
    await visit.sees(words.shared.networkError);
  });
});

describe('the Account Settings dialog', () => {
  const hasFocus = (name: string) =>
    visit.button(name).evaluate((element) => element === document.activeElement);

  test('stores profile input when it closes, but no password', async () => {
    await arrive(PHONE);
    await field(words.users.firstName).fill('Mariana');
    await field(words.auth.currentPassword).fill(PASSWORD);
    await visit.press(button(words.web.close));
    await visit.press(
      visit.page.getByRole('alertdialog').getByRole('button', { name: words.users.profileDiscard }),
    );
    await visit.sees(words.users.profileKept);
    await openSettings();
    expect(await field(words.users.firstName).inputValue()).toBe('Mariana');
    expect(await field(words.auth.currentPassword).inputValue()).toBe('');
    await visit.press(button(words.users.profileDiscard));
    expect(await field(words.users.firstName).inputValue()).toBe('Maria');
  });

  test('closes with Back, and leaves no history entry when it is closed otherwise', async () => {
    await arrive(PHONE);
    await visit.page.goBack();
    await dialog().waitFor({ state: 'hidden' });
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
    await openSettings();
    await visit.press(button(words.web.close));
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => visit.page.evaluate(() => history.state)).toBeNull();
    await visit.page.goBack();
    expect(visit.page.url()).toBe('about:blank');
  });

  test.each([
    ['desktop', 'Settings'],
    ['phone', 'Menu'],
  ] as const)('returns the focus on a %s to the button that opened it', async (device, name) => {
    await arrive({ device, scheme: 'light' });
    await visit.page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(name)).toBe(true);
  });

  test('works with the keyboard alone', async () => {
    person = await aPerson(district, { schools: [lincoln], firstName: 'Maria' });
    visit = await open(district, { as: person });
    await visit.button(words.users.settings).focus();
    await visit.page.keyboard.press('Enter');
    await dialog().waitFor();
    const focused = () => dialog().evaluate((element) => element.contains(document.activeElement));
    await expect.poll(focused).toBe(true);
    const isIn = (label: string) => field(label).evaluate((element) => element === document.activeElement);
    for (let stop = 0; stop < 5 && !(await isIn('First Name')); stop += 1) {
      await visit.page.keyboard.press('Tab');
    }
    await visit.page.keyboard.press('ControlOrMeta+a');
    await visit.page.keyboard.type('Mariana');
    await visit.page.keyboard.press('Enter');
    await visit.sees(words.users.profileUpdated);
    await visit.page.waitForEvent('load');
    await visit.sees('Mariana');
  });
});
