import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, aPerson, aSchool } from '../../builders.ts';
import { DESKTOP, type District, open, openDistrict, PHONE, toAdminPanel, type Visit } from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let vera: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  const school = await aSchool(district, { name: 'Lincoln Elementary' });
  await anActivity(district, { school, name: 'Book fair' });
  vera = await aPerson(district, { schools: [school], firstName: 'Vera' });
});

const page = () => visit.page;
const back = () => page().goBack();
const tab = (name: string) => page().getByRole('tab', { name });
const isShown = (name: string) => expect.poll(() => tab(name).getAttribute('aria-selected')).toBe('true');
const heading = (name: string) => page().getByRole('heading', { name, exact: true }).waitFor();
const leavesNext = async () => {
  await back();
  expect(page().url()).toBe('about:blank');
};

async function pick() {
  await page().getByRole('searchbox').fill('Book fair');
  await page().getByRole('searchbox').press('Enter');
  await visit.sees(words['time-entries'].howLong);
}

describe('Back on a phone', () => {
  test('leaves the app after hours were logged', async () => {
    visit = await open(district, { look: PHONE, as: vera });
    await pick();
    await visit.press(page().getByText('2 h', { exact: true }));
    await visit.press(visit.button('Log 2 hours'));
    await visit.sees('2h logged for Book fair today!');
    await expect.poll(() => page().evaluate(() => history.state?.depth ?? 0)).toBe(0);
    await leavesNext();
  });

  test('goes from registration to sign-in', async () => {
    visit = await open(district, { look: PHONE });
    await visit.press(visit.button(words.users.toRegister));
    await page().getByLabel(words.users.firstName).waitFor();
    await back();
    await heading(words.auth.signIn);
    await leavesNext();
  });
});

test('Back goes through the Admin Panel tabs to the time tracker', async () => {
  visit = await open(district, { look: DESKTOP, as: ada });
  await visit.press(tab(words.web.recentActivity));
  await toAdminPanel(visit);
  await visit.press(tab(words.users.schools));
  await visit.press(tab(words.analytics.title));
  await heading(words.analytics.title);
  await back();
  await isShown('Schools');
  await back();
  await isShown('Users');
  await back();
  await isShown('Recent Activity');
  await toAdminPanel(visit);
  await visit.press(tab(words.users.schools));
  await visit.press(visit.button(words.web.backToTimeTracker));
  await isShown('Recent Activity');
  await back();
  await isShown('Log Time');
  await leavesNext();
});

describe('a reload', () => {
  test('stays in the Admin Panel', async () => {
    visit = await open(district, { look: DESKTOP, as: ada });
    await toAdminPanel(visit);
    await visit.press(tab(words.users.schools));
    await heading(words.users.schools);
    await page().reload();
    await heading(words.users.schools);
    await isShown('Schools');
  });

  test('with an open dialog leaves no empty history entry', async () => {
    visit = await open(district, { look: DESKTOP, as: vera });
    await visit.press(visit.button(words.users.settings));
    await page().getByRole('dialog').waitFor();
    await page().reload();
    await heading(words.activities.heading);
    await expect.poll(() => page().evaluate(() => history.state?.depth ?? 0)).toBe(0);
    await leavesNext();
  });

  test("after another user's sign-in starts with Log Time", async () => {
    visit = await open(district, { look: DESKTOP, as: ada });
    await toAdminPanel(visit);
    await page().getByRole('tab', { name: words.users.schools }).waitFor();
    await visit.press(visit.button(words.web.backToTimeTracker));
    await visit.press(tab(words.web.recentActivity));
    // Wait until the last card has loaded, because a request that arrives after the logout would be rejected.
    await visit.button(words.households.start).waitFor();
    await visit.press(visit.button(words.auth.logout));
    await heading(words.auth.signIn);
    await page().evaluate((token) => localStorage.setItem('token', token), vera.token);
    await page().reload();
    await heading(words.activities.heading);
  });
});

test("opening the app's address starts with Log Time", async () => {
  visit = await open(district, { look: PHONE, as: vera });
  await visit.press(tab(words.web.recentActivity));
  await isShown('Recent Activity');
  await page().goto('/');
  await heading(words.activities.heading);
  await isShown('Log Time');
});
