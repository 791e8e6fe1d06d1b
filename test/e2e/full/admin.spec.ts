import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  PHONE,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { expectAccessible, expectNoSideways } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let lincoln: Awaited<ReturnType<typeof aSchool>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Oak Middle School' });
  const events = await aCategory(district, { school: lincoln, name: 'Events', color: '#e67e22' });
  await aCategory(district, { school: lincoln, name: 'Garden', kind: 'other', color: '#27ae60' });
  const fair = await anActivity(district, {
    school: lincoln,
    category: events,
    name: 'Book fair 2026',
    activeFrom: day('2026-03-06'),
  });
  await anActivity(district, { school: lincoln, category: events, name: 'Bake sale' });
  const maria = await aPerson(district, { firstName: 'Maria', schools: [lincoln] });
  await anEntry(district, { by: maria, activity: fair, hours: 2, date: '2026-03-06' });
});

const dialog = () => visit.page.getByRole('dialog');
const question = () => visit.page.getByRole('alertdialog');
const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const isFocused = (name: string) =>
  visit.page.evaluate((wanted) => document.activeElement?.textContent === wanted, name);

/** Opens a tab of the Admin Panel on this device. */
async function openAdmin(look: Look, tab = 'Schools', width?: number) {
  visit = await open(district, { look, as: ada, ...(width === undefined ? {} : { width }) });
  await toAdminPanel(visit);
  await show(tab);
}

async function show(tab: string) {
  await visit.press(visit.page.getByRole('tab', { name: tab }));
  await visit.page.getByRole('heading', { name: tab, exact: true }).waitFor();
}

async function chooseSchool(name = 'Lincoln Elementary') {
  await field(words.schools.filter).selectOption(name);
  await visit.page.getByRole('table').waitFor();
}

describe('the Admin Panel', () => {
  test('opens with g and a, and returns to the time tracker with its Back button', async () => {
    visit = await open(district, { as: ada });
    await visit.button(words.web.admin).waitFor();
    await visit.page.keyboard.press('g');
    await visit.page.keyboard.press('a');
    await visit.page.getByRole('heading', { name: words.web.adminTitle }).waitFor();
    expect(await isFocused('Admin Panel')).toBe(true);
    await visit.press(visit.button(words.web.backToTimeTracker));
    await expect.poll(() => isFocused('What did you help with?')).toBe(true);
  });

  test('reloads a tab that is opened again', async () => {
    await openAdmin(DESKTOP);
    await row('Oak Middle School').waitFor();
    await show('Categories');
    const late = await aSchool(district, { name: 'Newly opened school' });
    await show('Schools');
    await row('Newly opened school').waitFor();
    await district.call(`DELETE /api/admin/schools/${late.id}`, { token: ada.token });
  });
});

describe('the Schools tab on a desktop', () => {
  test('explains why a school with records cannot be deleted', async () => {
    await openAdmin(DESKTOP);
    await visit.press(visit.button('Lincoln Elementary'));
    await visit.press(visit.button(words.schools.deleteTitle));
    await question()
      .getByText(/^Cannot delete Lincoln Elementary: it still has 2 categories and \d+ volunteers?\./)
      .waitFor();
    expect(await question().getByRole('button', { name: words.web.delete }).count()).toBe(0);
    await visit.press(question().getByRole('button', { name: words.web.close }));
    await question().waitFor({ state: 'hidden' });
    await dialog().waitFor();
  });
});

describe('the Categories tab on a desktop', () => {
  test('explains why a category with activities cannot be deleted', async () => {
    await openAdmin(DESKTOP, 'Categories');
    await chooseSchool();
    await visit.press(row(words.activities.groupEvents).getByRole('button'));
    await visit.press(visit.button(words.categories.deleteTitle));
    await question()
      .getByText(/^Cannot delete Events: it still has \d+ activit/)
      .waitFor();
    expect(await question().getByRole('button', { name: words.web.delete }).count()).toBe(0);
    await visit.press(question().getByRole('button', { name: words.web.close }));
  });
});

describe('the Activities tab on a desktop', () => {
  beforeEach(async () => {
    await openAdmin(DESKTOP, 'Activities');
    await chooseSchool();
  });

  test('explains why an activity with hours cannot be deleted, and suggests an alternative', async () => {
    await visit.press(visit.button('Book fair 2026'));
    await visit.press(visit.button(words.activities.deleteTitle));
    await question()
      .getByText('Cannot delete Book fair 2026: it still has 1 time entry. Deactivate it instead.')
      .waitFor();
    expect(await question().getByRole('button', { name: words.web.delete }).count()).toBe(0);
    await visit.press(question().getByRole('button', { name: words.web.close }));
  });

  test('copies an activity to next year in a form, and to other schools in one step', async () => {
    await visit.press(visit.button('Book fair 2026'));
    await visit.press(visit.button(words.activities.copyToNextYear));
    await visit.page.getByRole('heading', { name: words.activities.createTitle }).waitFor();
    expect(await field(words.schools.name).inputValue()).toBe('Book fair 2027');
    expect(await field(words.activities.startDate).inputValue()).toBe('2027-03-05');
    await visit.press(visit.button(words.web.cancel));

    await visit.press(visit.button('Bake sale'));
    await visit.press(visit.button(words.activities.copyToSchools));
    await visit.press(field('Oak Middle School'));
    await visit.press(visit.button('Copy to 1 school'));
    await visit.sees('Bake sale copied to 1 school');
    await field(words.schools.filter).selectOption('Oak Middle School');
    await row('Bake sale').first().waitFor();
    expect(await row('Bake sale').first().textContent()).toContain('Events');
  });
});

describe('the Schools tab by keyboard', () => {
  test('creates, opens and deletes a school, and returns the focus', async () => {
    visit = await open(district, { as: ada, motion: true });
    const { page } = visit;
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key);
    };
    await visit.button(words.web.admin).waitFor();
    await press('g', 'a');
    await page.getByRole('heading', { name: words.web.adminTitle }).waitFor();
    await press('2');
    await visit.button('Lincoln Elementary').waitFor();
    await press('n');
    await dialog().waitFor();
    await expect
      .poll(() => field(words.schools.name).evaluate((input) => input === document.activeElement))
      .toBe(true);
    await page.keyboard.type('Keyboard School');
    await press('Enter');
    await visit.sees(words.schools.created);
    await dialog().waitFor({ state: 'hidden' });
    await press('/');
    await page.keyboard.type('keyboard');
    await row('Lincoln Elementary').waitFor({ state: 'hidden' });
    const name = visit.button('Keyboard School');
    for (let stop = 0; stop < 10 && !(await isFocused('Keyboard School')); stop += 1) await press('Tab');
    await press('Enter');
    await dialog().waitFor();
    await press('Escape');
    await dialog().waitFor({ state: 'hidden' });
    await expect.poll(() => name.evaluate((button) => button === document.activeElement)).toBe(true);
    await press('Enter');
    await dialog().waitFor();
    await visit.button(words.schools.deleteTitle).focus();
    await press('Enter');
    await question().waitFor();
    await question().getByRole('button', { name: words.web.delete }).focus();
    await press('Enter');
    await visit.sees(words.schools.deleted);
    await expect.poll(() => isFocused('Schools')).toBe(true);
    await press('Escape');
    await visit.page.getByRole('tab', { name: words.schools.title }).focus();
    await press('ArrowDown');
    await visit.sees(words.schools.selectOne);
  });
});

describe.each<Look>([DESKTOP, PHONE])('the Schools, Categories and Activities tabs on a $device', (look) => {
  test('have no axe violations', async () => {
    await openAdmin(look);
    await row('Lincoln Elementary').waitFor();
    await expectAccessible(visit.page);
    await visit.press(visit.button('Lincoln Elementary'));
    await dialog().waitFor();
    await expectAccessible(visit.page);
    await visit.press(visit.button(words.schools.deleteTitle));
    await question().waitFor();
    await expectAccessible(visit.page);
    await visit.press(question().getByRole('button', { name: words.web.close }));
    await question().waitFor({ state: 'hidden' });
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
    await show('Categories');
    await expectAccessible(visit.page);
    await chooseSchool();
    await row('Garden').waitFor();
    await expectAccessible(visit.page);
    await visit.press(row('Garden').getByRole('button'));
    await dialog().waitFor();
    await expectAccessible(visit.page);
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
    await show('Activities');
    await row('Bake sale').waitFor();
    await visit.press(field('Select Bake sale'));
    await expectAccessible(visit.page);
    await visit.press(visit.button('Bake sale'));
    await dialog().waitFor();
    await expectAccessible(visit.page);
    await visit.press(visit.button(words.activities.copyToSchools));
    await visit.press(field('Oak Middle School'));
    await visit.button('Copy to 1 school').waitFor();
    await expectAccessible(visit.page);
    await visit.press(dialog().last().getByRole('button', { name: words.web.cancel }));
    await visit.page.keyboard.press('Escape');
    await dialog().first().waitFor({ state: 'hidden' });
    await visit.press(visit.button(words.activities.deactivate_one));
    await visit.sees('1 activity deactivated');
    // The notice stays while it has the focus. On a busy machine the check takes longer than its three seconds.
    await visit.button(words.web.undo).focus();
    await expectAccessible(visit.page);
    await visit.press(visit.button(words.web.undo));
    await row('Bake sale').getByText(words.activities.inactive).waitFor({ state: 'hidden' });
  });
});

test('Schools, Categories and Activities do not scroll sideways at 320 px', async () => {
  await openAdmin(PHONE, undefined, 320);
  await row('Lincoln Elementary').waitFor();
  await expectNoSideways(visit.page);
  for (const tab of ['Categories', 'Activities']) {
    await show(tab);
    if (tab === 'Categories') await chooseSchool();
    await visit.page.getByRole('table').waitFor();
    await expectNoSideways(visit.page);
    await visit.press(visit.page.locator('tbody tr').first().getByRole('button'));
    await dialog().waitFor();
    await expectNoSideways(visit.page);
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
  }
});
