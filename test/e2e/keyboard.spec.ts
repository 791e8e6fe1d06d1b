import type { Locator } from 'playwright-core';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAddress, anEntry, aPerson, aSchool, PASSWORD } from '../builders.ts';
import { type District, open, openDistrict, PHONE, type Visit } from './browser.ts';
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

  test('skips the header without a history step', async () => {
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
});
