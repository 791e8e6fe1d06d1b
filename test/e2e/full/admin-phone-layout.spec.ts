import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { addDays, dayIn } from '#shared/calendar-date.ts';
import {
  aCategory,
  anActivity,
  anAdministrator,
  anEntry,
  aPerson,
  aSchool,
  aSuggestion,
} from '../../builders.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE, toAdminPanel } from '../browser.ts';
import { misfits } from '../check-screens.ts';
import { hasFocus } from '../keyboard.ts';
import { words } from '../spoken-language.ts';

const SCHOOL = 'Cedar Ridge Middle School of Arts and Sciences';

let district: District;
let ada: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  district = await openDistrict({ DISTRICT_NAME: 'Maple Grove Consolidated School District' });
  ada = await anAdministrator(district);
  const school = await aSchool(district, { name: SCHOOL });
  await aSchool(district, { name: 'Harbor Middle School' });
  const category = await aCategory(district, { school, name: 'Arts, Music and Theater Performances' });
  const activity = await anActivity(district, {
    school,
    category,
    name: 'Kindergarten Tying-Shoes-and-Zippers Patrol',
  });
  const by = await aPerson(district, {
    firstName: 'Maximiliana',
    lastName: 'Featherstonehaugh',
    schools: [school],
  });
  const today = dayIn('UTC', district.clock.now());
  for (const days of [0, 40, 80]) {
    await anEntry(district, { by, activity, hours: 2.5, date: addDays(today, -days), notes: 'Two zippers' });
  }
  await aSuggestion(district, { by, school, category, name: 'A reading corner for the whole neighborhood' });
});

/** The tabs of the Admin Panel, each with a text that appears once its content is loaded. */
const TABS = [
  ['Users', 'Maximiliana Featherstonehaugh'],
  ['Schools', SCHOOL],
  ['Categories', 'Arts, Music and Theater Performances'],
  ['Activities', 'Kindergarten Tying-Shoes-and-Zippers Patrol'],
  ['Suggestions', 'A reading corner for the whole neighborhood'],
  ['Time Entries', 'Kindergarten Tying-Shoes-and-Zippers Patrol'],
  ['Photo Sync', 'Connect Google Drive'],
] as const;

describe.each<Look>([PHONE, DESKTOP])('the Admin Panel on a $device', (look) => {
  test('fits the width on every tab, also with large text', async () => {
    const visit = await open(district, { look, as: ada });
    const { page } = visit;
    await toAdminPanel(visit);
    // Every signed-in screen has a skip link.
    expect(await page.getByRole('link', { name: words.web.skip }).count()).toBe(1);
    for (const [tab, content] of TABS) {
      await visit.press(page.getByRole('tab', { name: tab }));
      await page.getByRole('heading', { name: tab, exact: true }).waitFor();
      // A selected school stays selected on the other tabs.
      const school = page.getByLabel(words.schools.filter);
      if (tab === 'Categories') await school.selectOption(SCHOOL);
      await page.getByRole('tabpanel').getByText(content).locator('visible=true').first().waitFor();
      expect(await misfits(visit), tab).toEqual([]);
    }
    await visit.press(page.getByRole('tab', { name: words.analytics.title }));
    await page.getByLabel(words.analytics.period).selectOption('All time');
    await page.getByLabel(words.schools.header, { exact: true }).selectOption('');
    await page.getByText(words.analytics.stopped).waitFor();
    expect(await misfits(visit), 'Analytics').toEqual([]);
    for (const school of [SCHOOL, 'Whole district']) {
      await page.getByLabel(words.schools.header, { exact: true }).selectOption(school);
      await page.getByText(words.analytics.stopped).waitFor();
      expect(await misfits(visit), `Analytics: ${school}`).toEqual([]);
    }
    await page.getByRole('link', { name: words.web.skip }).press('Enter');
    expect(await hasFocus(page.getByRole('main'))).toBe(true);
  });
});

/** Returns which ends of a row fade, which shows that more items follow there. */
const fadingEnds = (row: Locator) =>
  row.evaluate((element) => {
    const [first, ...others] = getComputedStyle(element).maskImage.match(/rgba?\([^)]*\)/g) ?? [];
    return [first, others.at(-1)].map((color) => color === 'rgba(0, 0, 0, 0)');
  });

test('on a phone, every list begins near the top, and rows that scroll sideways fade at the ends', async () => {
  const visit = await open(district, { look: PHONE, as: ada });
  const { page } = visit;
  await toAdminPanel(visit);
  const tabs = page.getByRole('tablist');
  for (const [tab, content] of TABS) {
    if (tab === 'Photo Sync') continue;
    await visit.press(page.getByRole('tab', { name: tab }));
    await page.getByRole('heading', { name: tab, exact: true }).waitFor();
    if (tab === 'Categories') await page.getByLabel(words.schools.filter).selectOption(SCHOOL);
    const item = page.getByRole('tabpanel').getByText(content).locator('visible=true').first();
    await item.waitFor();
    if (tab === 'Users') expect(await fadingEnds(tabs)).toEqual([false, true]);
    if (tab === 'Suggestions') expect(await fadingEnds(tabs)).toEqual([true, true]);
    const first = tab === 'Suggestions' ? item : page.getByRole('tabpanel').locator('tbody tr').first();
    expect((await first.boundingBox())?.y, tab).toBeLessThan(420);
  }
  await tabs.evaluate((row) => row.scrollTo({ left: row.scrollWidth }));
  await expect.poll(() => fadingEnds(tabs)).toEqual([true, false]);
  await visit.press(page.getByRole('tab', { name: 'Users' }));
  expect(await fadingEnds(page.getByRole('navigation').locator('ul'))).toEqual([false, true]);
});
