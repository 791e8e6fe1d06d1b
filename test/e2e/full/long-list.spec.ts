import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { anActivity, aPerson, aSchool, aSuggestion } from '../../builders.ts';
import { manyEntries } from '../../many-entries.ts';
import { IS_LONG } from '../../test-level.ts';
import { DESKTOP, type District, type Look, open, openDistrict, PHONE, toAdminPanel } from '../browser.ts';
import { words } from '../spoken-language.ts';

const ROWS = IS_LONG ? Number(process.env['STRESS_ROWS'] ?? 100_000) : 1_000;
/** 100 px per frame are 6,000 px per second, a fast flick of the finger. */
const PX_A_FRAME = 100;
const FRAMES = IS_LONG ? 240 : 20;
/** The maximum number of elements on the page, however long the list is. 1,000 rows would be 30,000 elements. */
const MOST_ELEMENTS = 3_000;
/** The maximum for a list that renders all its rows (up to 200). */
const MOST_PLAIN = 10_000;
const LONGEST_MS = IS_LONG ? 3_000_000 : 120_000;

let district: District;
let school: Awaited<ReturnType<typeof aSchool>>;
let admin: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  district = await openDistrict();
  school = await aSchool(district, { name: 'Lincoln' });
  const activity = await anActivity(district, { school, name: 'Book fair' });
  admin = await aPerson(district, { role: 'admin' });
  const volunteer = await aPerson(district, { schools: [school] });
  await manyEntries(district.deps.database, volunteer, activity, ROWS, 20);
});

test.each([DESKTOP, PHONE])(
  'a long list on a $device scrolls with few elements, rows in order, and the focus unchanged',
  async (look: Look) => {
    const visit = await open(district, { as: admin, look });
    const { page } = visit;
    await toAdminPanel(visit);
    await visit.press(page.getByRole('tab', { name: 'Time Entries' }));
    await page.getByLabel(words.schools.filter).selectOption('Lincoln');
    const name = page.getByRole('row').getByRole('button', { name: 'Book fair', exact: true });
    await name.first().focus();
    const found = [await scrolled(page, 'start')];
    const most = await loadAll(page);
    expect(most).toBeLessThan(MOST_PLAIN);
    found.push(await scrolled(page, 'end'), await scrolled(page, 'middle'));
    if (IS_LONG)
      console.log(`${ROWS} rows on a ${look.device}:\n${found.map((one) => JSON.stringify(one)).join('\n')}`);
    for (const { elements } of found.slice(1)) expect(elements).toBeLessThan(MOST_ELEMENTS);
    const table = page.getByRole('table', { name: 'Time Entries' });
    expect(await table.getAttribute('aria-rowcount')).toBe(String(ROWS + 1));
    // The focused row stays rendered, however far away it is.
    expect(
      await page.evaluate(() => document.activeElement?.closest('tr')?.getAttribute('aria-rowindex')),
    ).toBe('2');
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.locator(`tr[aria-rowindex="${ROWS + 1}"]`).waitFor();
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.locator('tr[aria-rowindex="3"]').waitFor();
    // Removed rows leave their space. Rows that were never rendered have their estimated height.
    expect(
      Math.abs((await page.evaluate(() => document.documentElement.scrollHeight)) - height),
    ).toBeLessThan(height / 50);
  },
  LONGEST_MS,
);

test.each([DESKTOP, PHONE])(
  'on a $device, a day with many entries renders only those near the window',
  async (look) => {
    const walk = await anActivity(district, { school, name: 'Walk to school' });
    const volunteer = await aPerson(district, { schools: [school] });
    await manyEntries(district.deps.database, volunteer, walk, 300, 20);
    const visit = await open(district, { as: volunteer, look });
    const { page } = visit;
    await visit.press(page.getByRole('tab', { name: words.web.recentActivity }));
    await visit.press(visit.button(words['time-entries'].allMonths));
    await page.getByText('300 h', { exact: true }).waitFor();
    const rows = page.getByRole('button', { name: /^Delete Walk to school/ });
    await expect.poll(() => rows.count()).toBeLessThan(200);
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    await page.getByText('xxxxxxxxxxxxxxxxxxxx1', { exact: true }).waitFor();
    expect(await rows.count()).toBeLessThan(200);
    // A deleted row stays rendered, however far away.
    await visit.press(rows.last());
    await visit.press(
      page.getByRole('alertdialog').getByRole('button', { name: words['time-entries'].deleteAction }),
    );
    const undo = page.getByRole('button', { name: /^Undo: restore/ });
    await undo.waitFor();
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.getByText('xxxxxxxxxxxxxxxxxxxx300', { exact: true }).waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(200);
    expect(await undo.count()).toBe(1);
  },
);

test('on a desktop, a long list of suggestions renders only a part, and the arrow keys reach the rest', async () => {
  const elm = await aSchool(district);
  const by = await aPerson(district, { schools: [elm] });
  for (let at = 1; at <= 250; at += 1) await aSuggestion(district, { by, school: elm, name: `Idea ${at}` });
  const visit = await open(district, { as: admin, look: DESKTOP });
  const { page } = visit;
  await toAdminPanel(visit);
  await visit.press(page.getByRole('tab', { name: /^Suggestions/ }));
  await page.getByLabel(words.schools.filter).selectOption(elm.name);
  const list = page.getByRole('list', { name: words.suggestions.title });
  const rows = list.getByRole('button');
  await rows.first().waitFor();
  const first = await rows.first().innerText();
  const loaded = async () => {
    await page.evaluate(() => window.scrollTo(0, document.documentElement.scrollHeight));
    return list.locator('[aria-setsize="250"]').count();
  };
  await expect.poll(loaded).toBeGreaterThan(0);
  await expect.poll(() => rows.count()).toBeLessThan(60);
  // The item whose details are open stays in the list.
  expect(await rows.first().getAttribute('aria-current')).toBe('true');
  expect(await rows.first().innerText()).toBe(first);
  await page.evaluate(() => window.scrollTo(0, 0));
  await rows.first().focus();
  for (let at = 0; at < 60; at += 1) {
    await page.keyboard.press('ArrowDown');
    // A key pressed before the next row has rendered does nothing.
    await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 20))));
  }
  const reached = await page.evaluate(() =>
    Number(document.activeElement?.closest('li')?.getAttribute('aria-posinset')),
  );
  expect(reached).toBeGreaterThan(50);
});

/** Scrolls to the end until every row is loaded. Returns the maximum number of elements that were on the page. */
function loadAll(page: Page): Promise<number> {
  return page.evaluate(async (rows) => {
    let most = 0;
    const count = () => Number(document.querySelector('table')?.getAttribute('aria-rowcount') ?? 0) - 1;
    while (count() < rows) {
      window.scrollTo(0, document.documentElement.scrollHeight);
      await new Promise((resolve) => requestAnimationFrame(resolve));
      most = Math.max(most, document.querySelectorAll('*').length);
    }
    return most;
  }, ROWS);
}

/** Scrolls for some seconds in one part of the list. Returns the frame times and the elements on the page. */
async function scrolled(page: Page, where: 'start' | 'middle' | 'end') {
  const frames = await page.evaluate(
    async ([at, step, count]) => {
      const height = document.documentElement.scrollHeight;
      window.scrollTo(0, at === 'start' ? 0 : at === 'middle' ? height / 2 : height - step * count);
      const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
      for (let waited = 0; waited < 30; waited++) await frame();
      const took: number[] = [];
      let last = await frame();
      for (let done = 0; done < count; done++) {
        window.scrollBy(0, step);
        const now = await frame();
        took.push(now - last);
        last = now;
      }
      return took.sort((a, b) => a - b);
    },
    [where, PX_A_FRAME, FRAMES] as const,
  );
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  const { nodes } = await devtools.send('Memory.getDOMCounters');
  await devtools.detach();
  const part = (share: number) => Math.round((frames[Math.floor(frames.length * share)] ?? 0) * 10) / 10;
  return {
    where,
    elements: await page.evaluate(() => document.querySelectorAll('*').length),
    nodes,
    heapMB: Math.round(usedSize / 100_000) / 10,
    msOfFrame: { p50: part(0.5), p95: part(0.95), p99: part(0.99) },
  };
}
