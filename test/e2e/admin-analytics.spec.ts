import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../builders.ts';
import { readPdf } from '../pdf.ts';
import {
  DESKTOP,
  type District,
  type Look,
  looks,
  open,
  openDistrict,
  PHONE,
  pressAction,
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
