import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayIn, formatWeekday, weekdayOf } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { readPdf } from '../pdf.ts';
import { IS_FULL } from '../test-level.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  pressAction,
  testOnDesktop,
  toAdminPanel,
  type Visit,
} from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';
import { hasFocus } from './keyboard.ts';
import { words } from './spoken-language.ts';

let district: District;

let ada: Awaited<ReturnType<typeof anAdministrator>>;

let maria: Awaited<ReturnType<typeof aPerson>>;

let visit: Visit;

const today = () => dayIn('UTC', district.clock.now());

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  const lincoln = await aSchool(district, { name: 'Lincoln' });
  const oak = await aSchool(district, { name: 'Oak' });
  await aSchool(district, { name: 'Without hours' });
  const events = await aCategory(district, { school: lincoln, name: 'Events' });
  const fair = await anActivity(district, { school: lincoln, category: events, name: 'Book fair' });
  const library = await anActivity(district, { school: lincoln, name: 'Library' });
  const garden = await anActivity(district, { school: oak, name: 'Garden' });
  maria = await aPerson(district, { firstName: 'María', lastName: 'Đặng', schools: [lincoln, oak] });
  const ben = await aPerson(district, { firstName: 'Ben', lastName: 'Okafor', schools: [lincoln] });
  await anEntry(district, { by: maria, activity: fair, hours: 3, date: today() });
  await anEntry(district, { by: ben, activity: fair, hours: 1, date: today() });
  for (const days of [70, 71, 72, 73]) {
    await anEntry(district, { by: ben, activity: library, hours: 0.5, date: addDays(today(), -days) });
  }
  await anEntry(district, { by: maria, activity: garden, hours: 8, date: addDays(today(), -800) });
});

const part = (title: string) => visit.page.getByRole('region', { name: title });

const bars = (title: string) => part(title).getByRole('listitem');

async function openAnalytics(look: Look) {
  visit = await open(district, { look, as: ada });
  await toAdminPanel(visit);
  await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
  await visit.page.getByRole('heading', { name: words.analytics.title, level: 1 }).waitFor();
}

const school = () => visit.page.getByLabel(words.analytics.school, { exact: true });

const choose = (name: string) => school().selectOption(name);

const expectFocus = (target: Locator) => expect.poll(() => hasFocus(target)).toBe(true);

const chosen = (select: Locator) => select.locator('option:checked').innerText();

const period = () => visit.page.getByLabel(words.analytics.period);

describe.each(looks(DESKTOP))('Analytics on a $device', (look) => {
  test('asks for a school, then shows a bar for each activity, relative to the longest', async () => {
    await openAnalytics(look);
    await period().selectOption('All time');
    await school().selectOption('');
    await expect.poll(() => chosen(school())).toBe(words.analytics.selectSchool);
    await inFull(() => expectAccessible(visit.page));
    await choose('Without hours');
    await visit.sees(words.analytics.noData);
    await visit.sees(words.analytics.logFirst);

    await choose('Lincoln');
    await bars('Hours by activity').first().waitFor();
    expect(await bars('Hours by activity').allInnerTexts()).toEqual([
      expect.stringMatching(/^Book fair\s+4 h\s+2 entries · 2 volunteers$/),
      expect.stringMatching(/^Library\s+2 h\s+4 entries · 1 volunteer$/),
    ]);
    const widths = await bars('Hours by activity')
      .locator('rect:last-child')
      .evaluateAll((all) => all.map((bar) => bar.getAttribute('width')));
    expect(widths).toEqual(['100', '50']);
    await part("Haven't been back").waitFor();
    await inFull(() => expectAccessible(visit.page));
  });
});

test('an administrator sets the hourly rate and downloads the in-kind match and the summary', async () => {
  await openAnalytics(DESKTOP);
  await choose('Lincoln');
  await period().selectOption('All time');
  await visit.press(visit.button(words.analytics.setRate));
  await visit.page.getByLabel(words.analytics.hourlyRate).fill('30');
  await visit.press(visit.button(words.web.save));
  await visit.page.getByText(words.analytics.rateSourceRequired).first().waitFor();
  await visit.page.getByLabel(words.analytics.rateSource).fill('Independent Sector');
  await visit.press(visit.button(words.web.save));
  await visit.sees(words.analytics.rateSaved);
  await part('Dollar value (in-kind match)').getByText('$180.00').waitFor();
  await inFull(() => expectAccessible(visit.page));
  const [csv] = await Promise.all([
    visit.page.waitForEvent('download'),
    visit.press(visit.button(words.analytics.downloadCsv)),
  ]);
  expect(csv.suggestedFilename()).toBe('in-kind-match.csv');
  const [pdf] = await Promise.all([
    visit.page.waitForEvent('download'),
    visit.press(visit.button(words.analytics.downloadPdf)),
  ]);
  expect(await textOf(pdf)).toContain('Book fair');

  await choose(words.analytics.wholeDistrict);
  await period().selectOption('All time');
  await part('Dollar value (in-kind match)').getByRole('button', { name: 'Show only Oak' }).press('Enter');
  await part('Hours by school').waitFor({ state: 'detached' });
  await expectFocus(school());
});

test('a volunteer downloads a statement of hours for signature', async () => {
  visit = await open(district, { look: PHONE, as: maria });
  await visit.press(visit.page.getByRole('tab', { name: words.web.recentActivity }));
  await pressAction(visit, words['time-entries'].statement, words.web.more);
  await visit.sees('María Đặng volunteered 3 h in 1 entry.');
  await visit.page.getByLabel(words.analytics.period).selectOption('All time');
  await visit.sees('María Đặng volunteered 11 h in 2 entries.');
  await expectAccessible(visit.page);
  const [pdf] = await Promise.all([
    visit.page.waitForEvent('download'),
    visit.press(visit.button(words.analytics.downloadPdf)),
  ]);
  expect(await textOf(pdf)).toContain('María Đặng volunteered 11 h');
  await visit.press(visit.button(words.analytics.statementBack));
  await visit.page.getByRole('heading', { name: words.web.recentActivity }).waitFor();
});

async function textOf(file: { createReadStream: () => Promise<AsyncIterable<Buffer>> }) {
  const parts: Buffer[] = [];
  for await (const piece of await file.createReadStream()) parts.push(piece);
  return readPdf(Buffer.concat(parts)).text;
}

describe.runIf(IS_FULL).each<Look>([DESKTOP, PHONE])('Analytics on a $device', (look) => {
  test("asks for a school, and shows this school year's district totals below", async () => {
    await openAnalytics(look);
    await bars('Hours by activity').first().waitFor();
    expect([await chosen(school()), await chosen(period())]).toEqual([
      words.analytics.selectSchool,
      words.analytics.thisYear,
    ]);
    await part('Hours by school').getByText('Lincoln').first().waitFor();
    // Oak's hours are older than a school year.
    expect(await part('Hours by activity').getByText('Garden').count()).toBe(0);
    await expectAccessible(visit.page);
  });

  testOnDesktop(look, 'links an activity to its entries, and Back leads to Time Entries', async () => {
    await openAnalytics(look);
    await choose('Lincoln');
    await period().selectOption('All time');
    // The table of dollar values has the same button.
    await visit.press(part('Hours by activity').getByRole('button', { name: 'Show the entries of Library' }));
    await visit.page.getByRole('heading', { name: words['time-entries'].title, exact: true }).waitFor();
    await visit.page.getByText('4 of 4 entries').waitFor();
    await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
    await bars('Hours by activity').first().waitFor();
    await visit.press(visit.button(words.analytics.back));
    await visit.page.getByRole('heading', { name: words['time-entries'].title, exact: true }).waitFor();
  });
});

fullTest('Analytics can be searched, sorted, limited to a period and read as tables', async () => {
  await openAnalytics(DESKTOP);
  await choose('Lincoln');
  await period().selectOption('All time');
  await visit.page.getByLabel(words.analytics.sortBy).selectOption('Entries');
  expect(await bars('Hours by activity').first().innerText()).toContain('Library');
  await visit.page.getByRole('searchbox').fill('events');
  await visit.sees('1 of 2 activities');
  await visit.page.getByRole('searchbox').fill('');
  await visit.press(part('Hours by activity').getByRole('button', { name: words.analytics.showAsTable }));
  const rows = visit.page.getByRole('table', { name: words.analytics.byActivity }).getByRole('row');
  expect(await rows.allInnerTexts()).toEqual([
    expect.stringMatching(/^Activity\s+Category\s+Hours\s+Entries\s+Volunteers$/),
    expect.stringMatching(/^Library\s+.*\s+2\s+4\s+1$/),
    expect.stringMatching(/^Book fair\s+Events\s+4\s+2\s+2$/),
  ]);
  await visit.page.getByLabel(words.analytics.period).selectOption('Last 30 days');
  await rows.nth(2).waitFor({ state: 'detached' });
  await visit.page.getByRole('img', { name: /^Hours by month\./ }).waitFor();

  await choose(words.analytics.wholeDistrict);
  await visit.page.getByLabel(words.analytics.period).selectOption('All time');
  await bars('Hours by school').nth(2).waitFor();
  // The bars of the shorter period stay until the new ones are loaded.
  await expect.poll(() => bars('Hours by school').first().innerText()).toContain('Oak');
  await expectAccessible(visit.page);

  // A person with hours at two schools is listed twice.
  expect(await part('Most hours').getByRole('listitem').first().innerText()).toMatch(
    /Oak: 8 h\s+Lincoln: 3 h/,
  );
  await visit.press(visit.button('Show the entries of María Đặng, Oak'));
  await visit.page.getByText('1 of 1 entry').waitFor();
  await visit.press(visit.page.getByRole('tab', { name: words.analytics.title }));
  await choose('Lincoln');
  // Ten weeks ago was the same weekday.
  const weekday = formatWeekday(weekdayOf(today()), 'en');
  await visit.press(visit.button(`Show the entries of ${weekday}`));
  expect(await visit.page.getByLabel(words.analytics.weekday, { exact: true }).inputValue()).toBe(
    String(weekdayOf(today())),
  );
  await visit.page.getByText('3 of 3 entries').waitFor();
});

describe.runIf(IS_FULL)('the filters of Time Entries', () => {
  const field = (label: string) => visit.page.getByLabel(label, { exact: true });
  const entries = words['time-entries'];
  const toTab = (name: string) => visit.press(visit.page.getByRole('tab', { name }));
  const total = () => visit.page.getByText(/^\d+ of \d+ entr/);
  const shown = () =>
    expect.poll(async () => [
      await field(words.web.startDate).inputValue(),
      await field(entries.sortBy).inputValue(),
      await total().innerText(),
    ]);

  async function filterEntries() {
    await openAnalytics(DESKTOP);
    await visit.press(visit.button(words.analytics.back));
    await toTab(entries.title);
    await field(words.schools.filter).selectOption('Lincoln');
    await total().waitFor();
    await field(words.web.startDate).fill(addDays(today(), -72));
    await field(entries.sortBy).selectOption('Hours');
    await visit.page.getByText('5 of 5 entries').waitFor();
    return [addDays(today(), -72), 'hours', '5 of 5 entries'];
  }

  test('survive a visit to Analytics, another tab and a reload', async () => {
    const left = await filterEntries();
    await toTab(words.analytics.title);
    await bars('Hours by activity').first().waitFor();
    await visit.press(visit.button(words.analytics.back));
    await shown().toEqual(left);
    await toTab(words.activities.title);
    await visit.page.getByRole('heading', { name: words.activities.title, exact: true }).waitFor();
    await visit.page.goBack();
    await shown().toEqual(left);
    await visit.page.reload();
    await shown().toEqual(left);
    await field(words.schools.filter).selectOption('Oak');
    await shown().toEqual(['', 'entryDate', '1 of 1 entry']);
    await field(words.schools.filter).selectOption('Lincoln');
    await shown().toEqual(left);
    await visit.press(visit.button(words.web.resetAll));
    await visit.page.getByText('6 of 6 entries').waitFor();
    await toTab(words.users.title);
    await toTab(entries.title);
    await shown().toEqual(['', 'entryDate', '6 of 6 entries']);
  });

  test('are replaced by those of a link from Analytics, and restored afterward', async () => {
    const left = await filterEntries();
    await toTab(words.analytics.title);
    await choose('Lincoln');
    const weekday = formatWeekday(weekdayOf(addDays(today(), -71)), 'en');
    await visit.press(visit.button(`Show the entries of ${weekday}`));
    await visit.page.getByText('1 of 1 entry').waitFor();
    await visit.page.goBack();
    await bars('Hours by activity').first().waitFor();
    await visit.press(visit.button(words.analytics.back));
    await toTab(entries.title);
    await shown().toEqual(left);
  });
});

describe.runIf(IS_FULL)('when the pressed control disappears, the focus moves', () => {
  beforeAll(async () => {
    const maple = await aSchool(district, { name: 'Maple' });
    const rosa = await aPerson(district, { firstName: 'Rosa', lastName: 'Lim', schools: [maple] });
    for (let task = 1; task <= 27; task += 1) {
      const activity = await anActivity(district, { school: maple, name: `Task ${task}` });
      await anEntry(district, { by: rosa, activity, hours: 0.25, date: addDays(today(), -100) });
    }
  });

  test('to the school selector after the first school is chosen', async () => {
    await openAnalytics(DESKTOP);
    await period().selectOption('All time');
    await choose('');
    await expect.poll(() => chosen(school())).toBe(words.analytics.selectSchool);
    await school().focus();
    await choose('Oak');
    await bars('Hours by activity').first().waitFor();
    await expectFocus(school());
  });

  test('to the school selector after a single school is chosen in a chart', async () => {
    await openAnalytics(DESKTOP);
    await period().selectOption('All time');
    await part('Hours by school').getByRole('button', { name: 'Show only Oak' }).press('Enter');
    await part('Hours by school').waitFor({ state: 'detached' });
    await expectFocus(school());
    expect(await chosen(school())).toBe('Oak');
  });

  test('to the period after Show all time', async () => {
    await openAnalytics(DESKTOP);
    await choose('Oak');
    await period().selectOption('Last 30 days');
    await visit.button(words.analytics.showAllTime).press('Enter');
    await bars('Hours by activity').first().waitFor();
    await expectFocus(period());
    expect(await chosen(period())).toBe('All time');
  });

  test('to the first additional activity after Show all activities', async () => {
    await openAnalytics(DESKTOP);
    await period().selectOption('All time');
    await choose('Maple');
    await visit.button('Show all 27 activities').press('Enter');
    await visit.sees('27 of 27 activities');
    await expectFocus(bars('Hours by activity').nth(25).getByRole('button'));

    await choose('Lincoln');
    await bars('Hours by activity').nth(1).waitFor();
    await choose('Maple');
    await part('Hours by activity').getByRole('button', { name: words.analytics.showAsTable }).press('Enter');
    await visit.button('Show all 27 activities').press('Enter');
    // The column headers are a row too.
    await expectFocus(part('Hours by activity').getByRole('row').nth(26));
    await expectAccessible(visit.page);
  });
});
