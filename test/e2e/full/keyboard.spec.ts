import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anEntry, aPerson, aSchool } from '../../builders.ts';
import { type District, open, openDistrict, stepsToGoBack, type Visit } from '../browser.ts';
import * as keyboard from '../keyboard.ts';
import { hasFocus } from '../keyboard.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let fair: Awaited<ReturnType<typeof anActivity>>;
let visit: Visit;

beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  const events = await aCategory(district, { school, name: 'Events' });
  fair = await anActivity(district, { school, category: events, name: 'Book fair', activeFrom: today() });
  await anActivity(district, { school, name: 'Garden club' });
});

const today = () => dayIn('UTC', district.clock.now());
const keys = (...pressed: string[]) =>
  pressed.reduce((before, key) => before.then(() => visit.page.keyboard.press(key)), Promise.resolve());
const type = (text: string) => visit.page.keyboard.type(text);

const tabTo = (target: Locator, key?: string) => keyboard.tabTo(visit.page, target, key);
const focused = () => keyboard.focused(visit.page);
const opened = (role: 'dialog' | 'alertdialog', name?: string) => keyboard.opened(visit.page, role, name);

const tab = (name: string) => visit.page.getByRole('tab', { name });

describe('a signed-in volunteer using the keyboard', () => {
  beforeEach(async () => {
    const volunteer = await aPerson(district, { schools: [school] });
    await anEntry(district, { by: volunteer, activity: fair, date: today() });
    visit = await open(district, { as: volunteer });
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
  });

  test('finds an activity by typing and arrow keys, and returns to its row with Cancel', async () => {
    const { page } = visit;
    await tabTo(page.getByRole('searchbox'));
    await type('gard');
    await visit.sees('1 activity found');
    await keys('ArrowDown');
    const row = page.getByRole('button', { name: /^Garden club/ });
    expect(await hasFocus(row)).toBe(true);
    expect((await focused()).isSeen).toBe(true);
    await keys('Enter');
    await page.getByRole('heading', { name: 'Garden club' }).waitFor();
    await tabTo(visit.button(words.web.cancel), 'Shift+Tab');
    await keys('Enter');
    await expect.poll(() => hasFocus(row)).toBe(true);
    // More typing goes to the search box.
    await type('e');
    expect(await page.getByRole('searchbox').inputValue()).toBe('garde');
  });

  test('cannot move the focus out of an open dialog', async () => {
    const { page } = visit;
    await keys('2');
    await tabTo(page.getByRole('button', { name: /^Edit Book fair/ }));
    await keys('Enter');
    await opened('dialog');
    for (let stop = 0; stop < 14; stop += 1) {
      await keys('Tab');
      const isInside = await page
        .getByRole('dialog')
        .evaluate((dialog) => dialog.contains(document.activeElement));
      expect(isInside).toBe(true);
    }
  });

  test('opens search, a new entry, the tabs, logging and the list of shortcuts with a key each', async () => {
    const { page } = visit;
    await keys('2');
    await visit.sees('Today · 1 h');
    await keys('1');
    await page.getByRole('heading', { name: words.activities.heading }).waitFor();
    await keys('2', '/');
    await expect.poll(() => hasFocus(page.getByRole('searchbox'))).toBe(true);
    await keys('Tab', 'n');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: /^Book fair/ }).first())).toBe(true);
    await keys('Enter');
    await expect.poll(async () => (await focused()).name).toContain('INPUT');
    await keys('Enter');
    await visit.button('Log 1 hour').waitFor();
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await keys('Enter');
    await visit.button('Log 1 h more').press('Enter');
    await visit.sees('1h logged for Book fair today!');
    await keys('?');
    await opened('dialog', 'Keyboard shortcuts');
  });

  test('triggers no shortcut while typing or in a dialog', async () => {
    const { page } = visit;
    await tabTo(page.getByRole('searchbox'));
    await type('2n/1?');
    expect(await page.getByRole('searchbox').inputValue()).toBe('2n/1?');
    expect(await tab(words.web.logTime).getAttribute('aria-selected')).toBe('true');
    await page.getByRole('searchbox').fill('');
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await keys('?');
    await opened('dialog', 'Keyboard shortcuts');
    await keys('2', '/');
    await opened('dialog', 'Keyboard shortcuts');
    expect(await page.getByRole('searchbox').evaluate((box) => box === document.activeElement)).toBe(false);
    await keys('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await tab(words.web.logTime).getAttribute('aria-selected')).toBe('true');
  });

  test('turns the shortcuts off permanently', async () => {
    const { page } = visit;
    await keys('?');
    await opened('dialog');
    await tabTo(page.getByRole('checkbox', { name: words.web.shortcutsOn }));
    await keys('Space', 'Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await keys('2');
    await expect.poll(() => stepsToGoBack(page)).toBe(0);
    await page.reload();
    await page.getByRole('heading', { name: words.activities.heading }).waitFor();
    await keys('2');
    await page.getByRole('heading', { name: words.activities.heading }).waitFor();
    expect(await tab(words.web.recentActivity).getAttribute('aria-selected')).toBe('false');
  });
});
