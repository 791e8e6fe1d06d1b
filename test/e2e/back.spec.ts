import { beforeAll, describe, expect, test } from 'vitest';
import { anActivity, anAdministrator, aPerson, aSchool } from '../builders.ts';
import { type District, open, openDistrict, PHONE, type Visit } from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let vera: Awaited<ReturnType<typeof aPerson>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  await anAdministrator(district);
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
  test('goes from a selected activity to the list, and then leaves the app', async () => {
    visit = await open(district, { look: PHONE, as: vera });
    await pick();
    await back();
    await heading(words.activities.heading);
    await leavesNext();
  });

  test('closes the open dialog and the gallery, then goes through the previous tabs, each once', async () => {
    visit = await open(district, { look: PHONE, as: vera });
    await visit.press(tab(words.web.recentActivity));
    await visit.press(tab(words.web.logTime));
    await visit.press(tab(words.web.managePhotos));
    await visit.press(visit.button(/^Book fair/));
    await visit.button(words.photos.choose).waitFor();
    await visit.press(visit.button(words.web.menu));
    await visit.press(page().getByRole('menuitem', { name: words.users.settings }));
    await page().getByRole('dialog').waitFor();
    await back();
    await page().getByRole('dialog').waitFor({ state: 'hidden' });
    await visit.button(words.photos.choose).waitFor();
    await back();
    await visit.button(words.photos.viewAll).waitFor();
    await back();
    await isShown('Log Time');
    await back();
    await isShown('Recent Activity');
    await leavesNext();
  });
});

describe('a reload', () => {
  test('stays on the tab, and Back goes to the previous one', async () => {
    visit = await open(district, { look: PHONE, as: vera });
    await visit.press(tab(words.web.recentActivity));
    await visit.press(tab(words.web.managePhotos));
    await visit.button(words.photos.viewAll).waitFor();
    await page().reload();
    await visit.button(words.photos.viewAll).waitFor();
    expect(new URL(page().url()).pathname).toBe('/');
    await back();
    await isShown('Recent Activity');
    await back();
    await isShown('Log Time');
    await leavesNext();
  });
});
