import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  open,
  openDistrict,
  PHONE,
  pressAction,
  toAdminPanel,
  type Visit,
} from '../browser.ts';
import { expectAccessible, expectNoSideways } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let visit: Visit;

const MANY = 130;
beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  await aSchool(district, { name: 'Oak Middle School' });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  const fair = await anActivity(district, { school: lincoln, category: events, name: 'Book fair' });
  const garden = await anActivity(district, { school: lincoln, category: events, name: 'Garden club' });
  const maria = await aPerson(district, { firstName: 'Maria', lastName: 'Ruiz', schools: [lincoln] });
  const ben = await aPerson(district, { firstName: 'Ben', lastName: 'Okafor', schools: [lincoln] });
  for (let at = 0; at < MANY; at += 1) {
    await anEntry(district, { by: maria, activity: fair, hours: 1, date: addDays(today(), -at) });
  }
  await anEntry(district, {
    by: ben,
    activity: garden,
    hours: 2.5,
    date: today(),
    notes: 'Watered the beans',
  });
});

const today = () => dayIn('UTC', district.clock.now());
const dialog = () => visit.page.getByRole('dialog');
const question = () => visit.page.getByRole('alertdialog');
const row = (name: string) => visit.page.getByRole('row').filter({ hasText: name });
const field = (label: string) => visit.page.getByLabel(label, { exact: true });
const figure = async (name: string) =>
  visit.page.locator('dl[aria-label="Summary"] > div').filter({ hasText: name }).locator('dd').textContent();

async function openAdmin(look: Look, tab: string, width?: number) {
  visit = await open(district, { look, as: ada, ...(width === undefined ? {} : { width }) });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: tab }));
  await visit.page.getByRole('heading', { name: tab, exact: true }).waitFor();
}

async function openEntries(look: Look, width?: number) {
  await openAdmin(look, 'Time Entries', width);
  await field(words.schools.filter).selectOption('Lincoln Elementary');
  await row('Book fair').first().waitFor();
}

async function unfold(look: Look) {
  if (look.device === 'phone') await visit.press(visit.button(/^Filters/));
}

describe('the Users tab on a desktop', () => {
  test("does not delete users with hours, nor the administrator's own account", async () => {
    await openAdmin(DESKTOP, 'Users');
    await visit.press(visit.button('Maria Ruiz'));
    await visit.press(visit.button(words.users.deleteTitle));
    visit.expectFailure(/^409 DELETE/);
    await visit.press(question().getByRole('button', { name: words['time-entries'].deleteAction }));
    await question()
      .getByText(/^Cannot delete Maria Ruiz: it still has 1\d\d time entries/)
      .waitFor();
    await visit.press(question().getByRole('button', { name: words.web.cancel }));
    await question().waitFor({ state: 'hidden' });
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
    await visit.press(row('Ada').getByRole('button'));
    await dialog().waitFor();
    expect(await visit.button(words.users.deleteTitle).count()).toBe(0);
    expect(await dialog().getByLabel(words.users.role, { exact: true }).count()).toBe(0);
  });
});

describe('the Time Entries tab on a desktop', () => {
  beforeEach(() => openEntries(DESKTOP));

  test('loads page by page while scrolling', async () => {
    await visit.sees('100 of 131 entries');
    await visit.page.getByText('100 of 131 entries').scrollIntoViewIfNeeded();
    await visit.sees('131 of 131 entries');
  });

  for (const how of [503, 'no answer'] as const)
    test(`shows a banner if the entries fail to load: ${how}`, async () => {
      await visit.breakAt('GET /api/admin/time-entries', how);
      await unfold(DESKTOP);
      await field(words['time-entries'].activity).selectOption('Garden club');
      await visit.sees(words['time-entries'].failedToFetch);
      if (how === 'no answer') await visit.sees(words.shared.networkError);
      await visit.mend();
      await visit.press(visit.button(words.web.tryAgain));
      await row('Watered the beans').waitFor();
      await visit.misses(words['time-entries'].failedToFetch);
    });
});

test('time entries are printed as a plain table with a signature line', async () => {
  await openEntries(DESKTOP);
  await visit.page.evaluate(() => {
    window.print = () => {
      window.dispatchEvent(new Event('beforeprint'));
    };
  });
  await visit.press(visit.button(words['time-entries'].print));
  await visit.page.emulateMedia({ media: 'print' });
  await visit.page.getByRole('heading', { name: words['time-entries'].printTitle }).waitFor();
  // The last row is the total.
  expect(await visit.page.locator('main table:visible tbody tr').count()).toBe(MANY + 2);
  await visit.page.getByText(words['time-entries'].printSignature, { exact: true }).waitFor();
});

describe.each<Look>([DESKTOP, PHONE])('the Users and Time Entries tabs on a $device', (look) => {
  test('have no axe violations', async () => {
    await openAdmin(look, 'Users');
    await row('Maria Ruiz').waitFor();
    await expectAccessible(visit.page);
    await visit.press(visit.button('Maria Ruiz'));
    await dialog().getByText('Lincoln Elementary').first().waitFor();
    await expectAccessible(visit.page);
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
    await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
    await field(words.schools.filter).selectOption('Lincoln Elementary');
    await row('Garden club').waitFor();
    await unfold(look);
    // A few rows are enough, because they are all alike.
    await field(words.web.startDate).fill(addDays(today(), -3));
    await expect.poll(() => figure('Total Entries')).toBe('5');
    await expectAccessible(visit.page);
    await visit.press(visit.button(words['time-entries'].logFor));
    await visit.press(dialog().getByRole('button', { name: /^Ben Okafor/ }));
    await visit.press(visit.button(words['time-entries'].logHours));
    await dialog().getByLabel(words['time-entries'].activity).waitFor();
    await expectAccessible(visit.page);
    await visit.press(dialog().getByRole('button', { name: words.web.cancel }));
    await dialog().waitFor({ state: 'hidden' });
    await pressAction(visit, words['time-entries'].roster);
    await dialog()
      .getByRole('button', { name: /^Ben Okafor/ })
      .click();
    await expectAccessible(visit.page);
  });
});

test('Users and Time Entries do not scroll sideways at 320 px', async () => {
  await openEntries(PHONE, 320);
  await unfold(PHONE);
  await expectNoSideways(visit.page);
  await pressAction(visit, words['time-entries'].roster);
  await dialog()
    .getByRole('button', { name: /^Ben Okafor/ })
    .click();
  await expectNoSideways(visit.page);
  await visit.press(dialog().getByRole('button', { name: words.web.close, exact: true }).last());
  await dialog().waitFor({ state: 'hidden' });
  await visit.press(visit.page.getByRole('tab', { name: words.users.title }));
  await row('Maria Ruiz').waitFor();
  await expectNoSideways(visit.page);
});
