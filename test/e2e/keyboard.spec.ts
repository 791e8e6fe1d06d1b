import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAddress, anEntry, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { type District, open, openDistrict, PHONE, stepsToGoBack, type Visit } from './browser.ts';
import * as keyboard from './keyboard.ts';
import { hasFocus } from './keyboard.ts';
import { words } from './spoken-language.ts';

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

describe('by keyboard', () => {
  test('a volunteer registers, logs, undoes, edits, deletes, restores and signs out', async () => {
    visit = await open(district, { motion: true });
    const { page } = visit;
    await tabTo(visit.button(words.users.toRegister));
    await keys('Enter');
    await tabTo(page.getByLabel(words.users.firstName));
    await type('Vera');
    await keys('Tab');
    await type('Volt');
    await keys('Tab');
    await type(anAddress());
    await keys('Tab');
    await type(PASSWORD);
    await tabTo(page.getByLabel(words.users.confirmPassword));
    await type(PASSWORD);
    await tabTo(page.getByRole('checkbox', { name: 'Lincoln Elementary' }));
    await keys('Space', 'Enter');

    // The form that had the focus is gone.
    await expect
      .poll(() => hasFocus(page.getByRole('heading', { name: words.activities.heading })))
      .toBe(true);
    await tabTo(page.getByRole('button', { name: /^Book fair/ }).first());
    await keys('Enter');
    await expect.poll(() => hasFocus(page.getByRole('radio', { name: '0.5 h' }))).toBe(true);
    await keys('ArrowRight', 'ArrowRight', 'ArrowRight');
    await visit.button('Log 2 hours').waitFor();
    await keys('Enter');
    await visit.sees('2h logged for Book fair today!');
    expect(await hasFocus(page.getByRole('heading', { name: words.activities.heading }))).toBe(true);
    await tabTo(visit.button('Undo: 2 h for Book fair'), 'Shift+Tab');
    await keys('Enter');
    await visit.sees('Removed: 2 h for Book fair');

    await tabTo(page.getByRole('button', { name: /^Book fair/ }).first());
    await keys('Enter');
    await expect.poll(() => hasFocus(page.getByRole('radio', { name: '0.5 h' }))).toBe(true);
    // Enter selects the focused hours, and a second Enter logs them.
    await keys('Enter', 'Enter');
    await visit.sees('0.5h logged for Book fair today!');

    await tabTo(tab(words.web.logTime), 'Shift+Tab');
    await keys('ArrowRight');
    await visit.sees('Today · 0.5 h');
    await tabTo(page.getByRole('button', { name: /^Edit Book fair/ }));
    await keys('Enter');
    const dialog = await opened('dialog', 'Edit Time Entry');
    await tabTo(dialog.getByLabel(words['time-entries'].hoursField, { exact: true }));
    await keys('ArrowUp', 'ArrowUp', 'Enter');
    await visit.sees(words['time-entries'].updated);
    await visit.sees('Today · 1 h');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(page.getByRole('button', { name: /^Edit Book fair/ }))).toBe(true);

    await tabTo(page.getByRole('button', { name: /^Delete Book fair/ }));
    await keys('Enter');
    const question = await opened('alertdialog');
    await tabTo(question.getByRole('button', { name: words.web.delete }));
    await keys('Enter');
    await visit.sees(words['time-entries'].deletedRow);
    const undo = page.getByRole('button', { name: /^Undo: restore/ });
    await expect.poll(() => hasFocus(undo)).toBe(true);
    await keys('Enter');
    await visit.sees(words['time-entries'].restored);
    await visit.sees('Today · 1 h');
    await expect.poll(() => hasFocus(page.getByRole('button', { name: /^Delete Book fair/ }))).toBe(true);

    await tabTo(visit.button(words.auth.logout), 'Shift+Tab');
    await keys('Enter');
    await page.getByRole('heading', { name: words.auth.signIn }).waitFor();
  });

  test("a phone's menu opens, closes with Escape, and returns the focus", async () => {
    const volunteer = await aPerson(district, { schools: [school] });
    visit = await open(district, { as: volunteer, look: PHONE });
    await tabTo(visit.button(words.web.menu));
    await keys('Enter');
    const items = visit.page.getByRole('menuitem');
    await expect.poll(() => hasFocus(items.first())).toBe(true);
    expect((await focused()).isSeen).toBe(true);
    await keys('Escape');
    await items.first().waitFor({ state: 'hidden' });
    expect(await hasFocus(visit.button(words.web.menu))).toBe(true);
    await keys('Enter', 'End');
    await expect
      .poll(() => hasFocus(visit.page.getByRole('menuitem', { name: words.auth.logout })))
      .toBe(true);
    expect((await focused()).isSeen).toBe(true);
    await keys('Enter');
    await visit.page.getByRole('heading', { name: words.auth.signIn }).waitFor();
  });
});

describe('a signed-in volunteer using the keyboard', () => {
  beforeEach(async () => {
    const volunteer = await aPerson(district, { schools: [school] });
    await anEntry(district, { by: volunteer, activity: fair, date: today() });
    visit = await open(district, { as: volunteer });
    await visit.page.getByRole('heading', { name: words.activities.heading }).waitFor();
  });

  test('skips the header without changing the URL', async () => {
    const { page } = visit;
    const skip = page.getByRole('link', { name: words.web.skip });
    expect((await skip.boundingBox())?.y).toBeLessThan(-20);
    await keys('Tab');
    expect(await hasFocus(skip)).toBe(true);
    await expect.poll(async () => (await skip.boundingBox())?.y).toBeGreaterThan(0);
    await keys('Enter');
    expect(await hasFocus(page.getByRole('main'))).toBe(true);
    expect(page.url()).not.toContain('#');
    await keys('Tab');
    expect(await hasFocus(tab(words.web.logTime))).toBe(true);
  });

  test('closes a dialog with Escape, which returns the focus to its opener', async () => {
    const { page } = visit;
    await keys('2');
    const edit = page.getByRole('button', { name: /^Edit Book fair/ });
    await tabTo(edit);
    await keys('Enter');
    await opened('dialog');
    await keys('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(edit)).toBe(true);

    const remove = page.getByRole('button', { name: /^Delete Book fair/ });
    await tabTo(remove);
    await keys('Enter');
    await opened('alertdialog');
    await keys('Escape');
    await page.getByRole('alertdialog').waitFor({ state: 'hidden' });
    await expect.poll(() => hasFocus(remove)).toBe(true);
    await visit.sees('Today · 1 h');
  });

  fullTest('finds an activity by typing and arrow keys, and returns to its row with Cancel', async () => {
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

  fullTest('cannot move the focus out of an open dialog', async () => {
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

  fullTest(
    'reaches search, a new entry, the tabs, logging and the list of shortcuts with one key each',
    async () => {
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
    },
  );

  fullTest('triggers no shortcut while typing or in a dialog', async () => {
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

  fullTest('can turn the shortcuts off, and they stay off', async () => {
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
