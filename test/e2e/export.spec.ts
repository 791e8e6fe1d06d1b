import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { words } from './spoken-language.ts';

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

async function openEntries(look: Look) {
  visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words['time-entries'].title }));
  await visit.page.getByLabel(words.schools.filter, { exact: true }).selectOption('Lincoln Elementary');
  await visit.page.getByRole('row').filter({ hasText: 'Book fair' }).first().waitFor();
}

describe.each(looks(DESKTOP))('the export of time entries on a $device', (look) => {
  test('has the rows that match the filters, in the order on the screen', async () => {
    await openEntries(look);
    if (look.device === 'phone') await visit.press(visit.button(words.web.filters));
    await visit.page.getByLabel(words['time-entries'].activity, { exact: true }).selectOption('Book fair');
    await visit.page.getByLabel(words['time-entries'].sortBy, { exact: true }).selectOption('Hours');
    await visit.sees('3 of 3 entries');
    await openChoices();
    await inFull(() => expectAccessible(visit.page));
    const [file] = await Promise.all([visit.page.waitForEvent('download'), visit.press(choice('CSV file'))]);
    expect(file.suggestedFilename()).toBe(`maple-grove-schools_lincoln-elementary_${today()}.csv`);
    const lines: string[][] = parse(readFileSync(await file.path()), { bom: true });
    expect(lines.map((line) => [line[1], line[4], line[6]])).toEqual([
      ['First Name', 'Activity', 'Hours'],
      ...['3', '2.5', '1'].map((hours) => ['Maria', 'Book fair', hours]),
    ]);
    await visit.sees('3 entries saved. The file is in your downloads.');
    await inFull(() => expectAccessible(visit.page));
    await visit.press(visit.button(words.web.close));
    await visit.misses('3 entries saved. The file is in your downloads.');
  });
});
