import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aPersonWithRole, aSchool } from '../../builders.ts';
import { sheetsOf } from '../../workbook.ts';
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
import { expectAccessible } from '../expect-accessible.ts';
import { words } from '../spoken-language.ts';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict({ DISTRICT_NAME: 'Maple Grove Schools' });
  ada = await anAdministrator(district);
  const lincoln = await aSchool(district, { name: 'Lincoln Elementary' });
  const fair = await anActivity(district, { school: lincoln, name: 'Book fair' });
  const garden = await anActivity(district, { school: lincoln, name: 'Garden club' });
  const maria = await aPerson(district, { firstName: 'Maria', lastName: 'Ruiz', schools: [lincoln] });
  for (const hours of [1, 2.5, 3])
    await anEntry(district, { by: maria, activity: fair, hours, date: today() });
  await anEntry(district, { by: maria, activity: garden, hours: 4, date: today() });
});

const today = () => dayIn('UTC', district.clock.now());
const choice = (name: string) => visit.page.getByRole('menuitem', { name });
/** On phones the export formats are in the menu of the list. */
const openChoices = () =>
  visit.press(visit.button(visit.look.device === 'phone' ? words.web.menu : words['time-entries'].export));

const chooseSchool = () =>
  visit.page.getByLabel(words.schools.filter, { exact: true }).selectOption('Lincoln Elementary');

async function openEntries(look: Look) {
  visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await chooseSchool();
  await visit.page.getByRole('row').filter({ hasText: 'Book fair' }).first().waitFor();
}

test('time entries are exported to Excel by keyboard alone', async () => {
  await openEntries(DESKTOP);
  await visit.button(words['time-entries'].export).focus();
  await visit.page.keyboard.press('Enter');
  await choice('CSV file').and(visit.page.locator(':focus')).waitFor();
  await visit.page.keyboard.press('ArrowDown');
  const [file] = await Promise.all([visit.page.waitForEvent('download'), visit.page.keyboard.press('Enter')]);
  const sheet = sheetsOf(readFileSync(await file.path())).get('Time Entries') ?? [];
  expect(sheet).toHaveLength(5);
  await visit.button(words['time-entries'].export).and(visit.page.locator(':focus')).waitFor();
});

test('a slow export shows its progress and can be canceled', async () => {
  await openEntries(PHONE);
  await visit.page.route('**/api/admin/time-entries/export', async (route) => {
    const reply = await route.fetch();
    // The reply links to another file, because this one has no content yet.
    await route.fulfill({ response: reply, json: { ...(await reply.json()), url: '/healthz' } });
  });
  await openChoices();
  await visit.press(choice('CSV file'));
  await visit.sees('Preparing 4 entries...');
  expect(
    await visit.page
      .getByRole('progressbar', { name: words['time-entries'].export })
      .getAttribute('aria-valuemax'),
  ).toBe('4');
  await expectAccessible(visit.page);
  await visit.press(visit.button(words['time-entries'].cancelExport));
  await visit.sees(words['time-entries'].exportCancelled);
  await visit.misses('Preparing 4 entries...');
});

describe.each<Look>([DESKTOP, PHONE])('the export of a list on a $device', (look) => {
  test('has only the rows that match the search', async () => {
    visit = await open(district, { look, as: ada });
    await toAdminPanel(visit);
    await visit.page.getByRole('searchbox').fill('ruiz');
    await visit.sees('1 user');
    await visit.press(visit.button(words.web.export));
    await expectAccessible(visit.page);
    const [file] = await Promise.all([
      visit.page.waitForEvent('download'),
      visit.press(choice(words.web.exportCsv)),
    ]);
    expect(file.suggestedFilename()).toBe(`maple-grove-schools_users_${today()}.csv`);
    const lines: string[][] = parse(readFileSync(await file.path()), { bom: true });
    expect(lines.slice(1).map(([first, last]) => [first, last])).toEqual([['Maria', 'Ruiz']]);
    await visit.press(visit.page.getByRole('tab', { name: words.activities.title }));
    await chooseSchool();
    await visit.sees('Garden club');
    await visit.press(visit.button(words.web.export));
    const [book] = await Promise.all([
      visit.page.waitForEvent('download'),
      visit.press(choice(words.web.exportExcel)),
    ]);
    expect(sheetsOf(readFileSync(await book.path())).get('Activities')).toHaveLength(3);
    await visit.breakAt('POST /api/admin/activities/export', 503);
    await visit.press(visit.button(words.web.export));
    await visit.press(choice(words.web.exportCsv));
    await visit.page.getByRole('alert').filter({ hasText: /./ }).first().waitFor();
  });
});

test("an auditor of all schools exports a school's hours with email addresses", async () => {
  const auditor = await aPersonWithRole(district, 'auditor', null);
  visit = await open(district, { look: DESKTOP, as: auditor });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await chooseSchool();
  await visit.page.getByRole('row').filter({ hasText: 'Book fair' }).first().waitFor();
  await openChoices();
  const [file] = await Promise.all([visit.page.waitForEvent('download'), visit.press(choice('CSV file'))]);
  const lines: string[][] = parse(readFileSync(await file.path()), { bom: true });
  expect(lines).toHaveLength(5);
  expect(lines[1]?.[9]).toMatch(/@maplegrove\.example$/);
});

test('a failed export shows an error', async () => {
  await openEntries(DESKTOP);
  await visit.breakAt('POST /api/admin/time-entries/export', 503);
  await openChoices();
  await visit.press(choice('Excel file'));
  await visit.sees(words['time-entries'].exportFailed);
});
