import type { Page } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { NOW, runningClock, TODAY } from '../harness.ts';
import {
  type District,
  open,
  openDistrict,
  PHONE,
  pickActivity,
  type Visit,
  type VisitOptions,
} from './browser.ts';
import { words } from './spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let volunteer: Awaited<ReturnType<typeof aPerson>>;

// Sets the browser's time, such as to a school day at noon.
const fixTime = (at: string) => (page: Page) => page.clock.setFixedTime(at);

beforeAll(async () => {
  district = await openDistrict({ TIME_ZONE: 'America/Chicago' }, runningClock());
  district.clock.set(NOW);
});

beforeEach(async () => {
  school = await aSchool(district);
  volunteer = await aPerson(district, { schools: [school] });
});

function visitAs(person: { token: string }, options: VisitOptions = {}): Promise<Visit> {
  return open(district, { as: person, before: fixTime(NOW), ...options });
}

const dated = (activeFrom: string, activeUntil?: string) => ({
  activeFrom: day(activeFrom),
  ...(activeUntil === undefined ? {} : { activeUntil: day(activeUntil) }),
});

const toggle = (visit: Visit, group: string) =>
  visit.page.getByRole('button', { name: new RegExp(`^${group}`) });

const entriesOf = (person: { id: number }) =>
  district.deps.database.db
    .selectFrom('time_entries')
    .select(['hours_hundredths', 'entry_date', 'notes'])
    .where('user_id', '=', person.id)
    .where('deleted_at', 'is', null)
    .execute();

describe('suggested activities', () => {
  const tiles = (visit: Visit) =>
    visit.page.getByRole('list', { name: words.activities.logAgain }).locator('[data-row]').allInnerTexts();

  test("are today's events, then those logged last, with the last hours", async () => {
    const events = await aCategory(district, { school, name: 'Events' });
    await anActivity(district, { school, category: events, name: 'Book fair', ...dated(TODAY) });
    const club = await anActivity(district, { school, name: 'Garden club' });
    const choir = await anActivity(district, { school, name: 'Choir' });
    await anEntry(district, { by: volunteer, activity: club, hours: 1.5, date: '2026-02-20' });
    await anEntry(district, { by: volunteer, activity: choir, hours: 2, date: '2026-03-01' });
    const visit = await visitAs(volunteer);
    await toggle(visit, 'Events').waitFor();
    await visit.page.getByRole('button', { name: /^Choir Last/ }).waitFor();
    expect((await tiles(visit)).map((words) => words.split(/\n+/))).toEqual([
      ['Book fair', 'Today'],
      ['Choir', 'Last: 2 h, Mar 1'],
      ['Garden club', 'Last: 1.5 h, Feb 20'],
    ]);
    await pickActivity(visit, 'Choir');
    await visit.page.getByRole('radio', { name: /^2 h\s*usual$/ }).waitFor();
    // The usual hours are suggested, not preselected.
    await visit.button(words['time-entries'].logHours).waitFor();
    const hours = visit.page.getByRole('group', { name: words['time-entries'].howLong });
    expect(await hours.getByRole('radio', { checked: true }).count()).toBe(0);
  });
});

describe('the entry form', () => {
  test('asks before it adds to hours of the same activity and day', async () => {
    const activity = await anActivity(district, { school, name: 'Garden club' });
    await anEntry(district, { by: volunteer, activity, hours: 2, date: TODAY });
    const visit = await visitAs(volunteer, { look: PHONE });
    await visit.press(visit.button(/^Garden club/).first());
    await visit.press(visit.page.getByRole('radio', { name: /^1 h/ }));
    await visit.press(visit.button('Log 1 hour'));
    await visit.sees('You already logged 2 h for Garden club today. Log 1 h more?');
    expect(await entriesOf(volunteer)).toHaveLength(1);
    await visit.press(visit.button('Log 1 h more'));
    await visit.sees('1h logged for Garden club today!');
    expect(await entriesOf(volunteer)).toHaveLength(2);
  });

  test('shows the description field immediately if the activity requires one', async () => {
    await anActivity(district, { school, name: 'Field trip', descriptionPrompt: 'the class you were with' });
    const visit = await visitAs(volunteer, { look: PHONE });
    await toggle(visit, 'Year-Round').waitFor();
    await pickActivity(visit, 'Field trip');
    const prompt = visit.page.getByLabel('The class you were with');
    await prompt.waitFor();
    await visit.press(visit.page.getByRole('radio', { name: '3 h' }));
    await visit.press(visit.button('Log 3 hours'));
    await visit.sees('Please enter the class you were with for Field trip activities');
    expect(await prompt.evaluate((box) => box === document.activeElement)).toBe(true);
    await prompt.fill('Grade 1, Ms. Ortiz');
    await visit.press(visit.button('Log 3 hours'));
    await visit.sees('3h logged for Field trip today!');
    expect(await entriesOf(volunteer)).toEqual([
      { hours_hundredths: 300, entry_date: TODAY, notes: 'Grade 1, Ms. Ortiz' },
    ]);
  });

  test('stores one entry for two quick taps', async () => {
    await anActivity(district, { school, name: 'Garden club' });
    const visit = await visitAs(volunteer);
    await toggle(visit, 'Year-Round').waitFor();
    await pickActivity(visit, 'Garden club');
    await visit.press(visit.page.getByRole('radio', { name: '2 h' }));
    await visit.button('Log 2 hours').dblclick();
    await visit.sees('2h logged for Garden club today!');
    expect(await entriesOf(volunteer)).toHaveLength(1);
  });
});

describe('Recent Activity', () => {
  const openRecent = (visit: Visit) =>
    visit.press(visit.page.getByRole('tab', { name: words['time-entries'].recentActivity }));
  const rows = (visit: Visit) => visit.page.getByRole('button', { name: /^Edit / }).count();

  test("shows a volunteer's own entries, and everyone's with names to an administrator", async () => {
    const club = await anActivity(district, { school, name: 'Garden club' });
    const maria = await aPerson(district, { schools: [school], firstName: 'Maria', lastName: 'Ortiz' });
    await anEntry(district, { by: maria, activity: club, hours: 2, date: TODAY });
    const visit = await visitAs(volunteer);
    await openRecent(visit);
    await visit.sees(words['time-entries'].noneYet);

    const administrator = await anAdministrator(district);
    const theirs = await visitAs(administrator, { stored: { selectedSchoolId: String(school.id) } });
    await theirs.sees(words['time-entries'].mostActive);
    await theirs.press(theirs.page.getByRole('button', { name: /^Garden club/ }).last());
    await theirs.sees('Mar 4, 2026 · Maria Ortiz');
    await openRecent(theirs);
    await theirs.sees('Maria Ortiz');
    expect(await rows(theirs)).toBe(1);
  });
});

test('a volunteer logs every Wednesday of a month in a few taps, and undoes it in one', async () => {
  await anActivity(district, { school, name: 'Garden club' });
  const visit = await visitAs(volunteer);
  await visit.press(visit.button(/^Garden club/).first());
  await visit.press(visit.page.getByRole('radio', { name: '2 h' }));
  await visit.press(visit.button(words['time-entries'].severalDays));
  await visit.press(visit.button(words['time-entries'].previousMonth));
  await visit.press(visit.button('Every Wednesday in February 2026'));
  await visit.press(visit.button('Log 2 h on each of 4 days'));
  await visit.sees('4 days, 8 h logged for Garden club');
  await visit.sees('8 hours this school year');
  await visit.press(visit.button('Undo: 4 days of Garden club'));
  await visit.sees('Removed: 4 days');
  await visit.sees('No hours this school year yet.');
});
