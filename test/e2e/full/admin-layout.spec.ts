import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayIn } from '#shared/calendar-date.ts';
import { aCategory, anActivity, anAdministrator, anEntry, aPerson, aSchool } from '../../builders.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE, toAdminPanel } from '../browser.ts';
import { words } from '../spoken-language.ts';

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let ada: Awaited<ReturnType<typeof anAdministrator>>;

beforeAll(async () => {
  district = await openDistrict();
  ada = await anAdministrator(district);
  school = await aSchool(district, { name: 'Lincoln Elementary' });
  const category = await aCategory(district, { school, name: 'Events' });
  const fair = await anActivity(district, { school, category, name: 'Book fair' });
  const date = dayIn('UTC', district.clock.now());
  for (let at = 10; at < 40; at += 1) {
    const person = await aPerson(district, { firstName: 'Ann', lastName: `Lee ${at}`, schools: [school] });
    await anEntry(district, { by: person, activity: fair, hours: 2, date });
    await anActivity(district, { school, category, name: `Evening ${at}` });
  }
});

async function openPanel(look: Look) {
  const visit = await open(district, { look, as: ada, school });
  await toAdminPanel(visit);
  const { page } = visit;
  return {
    ...visit,
    row: (name: string) => page.getByRole('row').filter({ hasText: name }),
    toTab: (name: string) => visit.press(page.getByRole('tab', { name: new RegExp(`^${name}`) })),
    scrolled: () => page.evaluate(() => Math.round(scrollY)),
  };
}

const topOf = async (one: Locator) => (await one.boundingBox())?.y;
/** Returns the right end of an element's text. */
const endOf = (one: Locator, text: RegExp) =>
  one.evaluate((element, source) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    let node = texts.nextNode();
    while (node !== null && !new RegExp(source).test(node.textContent ?? '')) node = texts.nextNode();
    const range = document.createRange();
    range.selectNodeContents(node ?? element);
    return range.getBoundingClientRect().right;
  }, text.source);

describe.each<Look>([DESKTOP, PHONE])('the Admin Panel on a $device', (look) => {
  test.each([
    ['Users', 'Lee 10', 'Lee 11'],
    ['Activities', 'Evening 10', 'Evening 11'],
  ])('does not move or cover the other rows of %s when one is checked', async (tab, first, second) => {
    const { row, toTab, press, sees, page } = await openPanel(look);
    await toTab(tab);
    const box = (name: string) => row(name).getByRole('checkbox');
    await box(second).waitFor();
    // Also after the list was scrolled.
    for (const scroll of [0, 60]) {
      await page.evaluate((to) => scrollTo(0, to), scroll);
      const before = await topOf(box(second));
      await press(box(first));
      await sees('1 selected');
      expect(await topOf(box(second))).toBe(before);
      await press(box(second));
      await sees('2 selected');
      await press(box(second));
      await press(box(first));
      expect(await topOf(box(second))).toBe(before);
    }
  });

  test('opens each screen at the top', async () => {
    const { row, toTab, scrolled, page } = await openPanel(look);
    await row('Lee 10').waitFor();
    for (const [tab, name] of [
      ['Activities', 'Evening 10'],
      ['Time Entries', 'Lee 39'],
    ] as const) {
      await page.evaluate(() => scrollTo(0, 500));
      await expect.poll(scrolled).toBe(500);
      // On a phone the tabs are above the visible part, so click them by script.
      if (look.device === 'phone') {
        await page.getByRole('tab', { name: tab }).evaluate((title: HTMLElement) => title.click());
      } else {
        await toTab(tab);
      }
      await row(name).first().waitFor();
      expect(await scrolled()).toBe(0);
    }
    await page.goBack();
    await row('Evening 10').waitFor();
  });
});

test('the wheel scrolls a panel even over a short list inside it', async () => {
  const { row, page } = await openPanel(DESKTOP);
  await page.setViewportSize({ width: 1280, height: 560 });
  await row('Lee 10').getByRole('button').click();
  const panel = page.getByRole('dialog');
  const schools = panel.getByRole('checkbox', { name: 'Lincoln Elementary' });
  await schools.hover();
  const before = (await topOf(schools)) ?? 0;
  await page.mouse.wheel(0, 120);
  await expect.poll(async () => ((await topOf(schools)) ?? 0) < before).toBe(true);
});

test('a badge is visible in a checked row', async () => {
  const { row, page } = await openPanel(DESKTOP);
  const user = row('Lee 10');
  const background = (one: Locator) => one.evaluate((shown) => getComputedStyle(shown).backgroundColor);
  await user.getByRole('checkbox').check();
  await page.mouse.move(0, 0);
  const badge = user.getByText('Active', { exact: true });
  await expect.poll(() => background(user)).not.toBe('rgba(0, 0, 0, 0)');
  await expect.poll(async () => (await background(badge)) === (await background(user))).toBe(false);
});

test('the header of a number column is right-aligned with its numbers', async () => {
  const { row, toTab, page } = await openPanel(DESKTOP);
  await toTab('Time Entries');
  const entry = row('Lee 39');
  await entry.waitFor();
  const title = page.getByRole('columnheader', { name: words['time-entries'].hoursField, exact: true });
  expect(await endOf(title, /Hours/)).toBeCloseTo(await endOf(entry, /^2 h$/), 0);
});

test("an administrator's own form explains once that their role cannot change", async () => {
  const { row, page } = await openPanel(DESKTOP);
  // A long list renders only rows near the window.
  await row('Lee 10').waitFor();
  await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
  await row('Ada').getByRole('button').click();
  await page.getByText(words.users.grantsOwn).waitFor();
  expect(await page.getByText(/^You cannot change your own role/).count()).toBe(1);
});

test('the figures of the System screen stay away from the border of their card on a phone', async () => {
  const { button, press, page } = await openPanel(PHONE);
  await press(button(words.web.system));
  const card = page.getByLabel(words.operations.figures);
  const outer = await boxOf(card);
  for (const text of await card.locator('dt, dd').all()) {
    const inner = await boxOf(text);
    expect(inner.y - outer.y).toBeGreaterThanOrEqual(8);
    expect(outer.y + outer.height - inner.y - inner.height).toBeGreaterThanOrEqual(8);
  }
});

test('the time entries of all schools fit a window 1280 px wide in Spanish', async () => {
  const other = await openDistrict();
  const admin = await anAdministrator(other);
  for (const name of ['Peñasco Bilingual Academy', 'Cedar Creek Elementary']) {
    const verifying = await aSchool(other, { name, verification: 'on' });
    const activity = await anActivity(other, { school: verifying, name: 'Basketball Season Scorekeeping' });
    const by = await aPerson(other, {
      firstName: 'Francisco',
      lastName: 'Davis-Rodríguez',
      schools: [verifying],
    });
    await anEntry(other, {
      by,
      activity,
      hours: 1.5,
      date: dayIn('UTC', other.clock.now()),
      notes: 'Set-up',
    });
  }
  const { page } = await open(other, { look: DESKTOP, as: admin, locale: 'es-US' });
  await page.getByRole('button', { name: /^Admin/ }).click();
  await page.getByRole('tab', { name: /^Registros de horas/ }).click();
  await page.getByLabel('Filtrar por escuela').selectOption('all');
  const row = page.getByRole('row').filter({ hasText: 'Basketball Season Scorekeeping' }).first();
  await row.waitFor();
  const { x, width } = await boxOf(row);

  expect(x + width).toBeLessThanOrEqual(1280);
});

test('the bars of Analytics are visible on a tablet', async () => {
  const { toTab, page } = await openPanel(DESKTOP);
  await page.setViewportSize({ width: 768, height: 1024 });
  await toTab('Analytics');
  const bar = page.getByRole('listitem').filter({ hasText: 'Book fair' }).locator('svg').last();
  expect((await boxOf(bar)).width).toBeGreaterThan(100);
});

async function boxOf(one: Locator) {
  const box = await one.boundingBox();
  if (box === null) throw new Error('not visible');
  return box;
}
