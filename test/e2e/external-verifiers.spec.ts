import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import en from '#features/verification/messages.server.en.json' with { type: 'json' };
import shared from '#shared/messages.server.en.json' with { type: 'json' };
import { launchChromium } from '../../scripts/chromium.ts';
import { anActivity, anOutsideLetter, aPerson, aSchool } from '../builders.ts';
import { type District, openDistrict } from './browser.ts';
import { expectAccessible, inFull } from './expect-accessible.ts';

let district: District;
let browser: Browser;
beforeAll(async () => {
  district = await openDistrict();
  browser = await launchChromium();
});
afterAll(() => browser?.close());

let made = 0;

async function aLetter(hours: readonly number[] = [2, 1.5]) {
  const school = await aSchool(district, { name: `Lincoln Elementary ${++made}` });
  const activity = await anActivity(district, { school, name: 'Spring Book Fair' });
  const by = await aPerson(district, { schools: [school], firstName: 'Maria', lastName: 'Lopez' });
  const notes = 'Set up the tables & sold books';
  return anOutsideLetter(district, { by, activity, hours, notes });
}

async function visit(
  path: string,
  run: (page: Page) => Promise<void>,
  settings: Parameters<Browser['newContext']>[0] = {},
): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, ...settings });
  try {
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('console', (message) => {
      // Error pages have the status 400 or 404.
      const isStatus = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isStatus) faults.push(message.text());
    });
    await page.goto(`${district.origin}${path}`);
    await run(page);
    expect(faults).toEqual([]);
  } finally {
    await context.close();
  }
}

describe("the external verifier's page", () => {
  test('works by keyboard without JavaScript, and applies a decision only once', async () => {
    const { token, entries } = await aLetter();
    await visit(
      `/?verify=${token}&lang=es`,
      async (page) => {
        // The language switch, then the button that confirms everything.
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: en.outsideTitle }).waitFor();
        await page.keyboard.press('Tab');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: en.outsideThanks }).waitFor();
        await page.goBack();
        await page.getByText('2 entries confirmed.').waitFor();
        await page.reload();
        await page.getByText('2 entries confirmed.').waitFor();
      },
      { javaScriptEnabled: false },
    );
    const rows = await district.deps.database.db
      .selectFrom('time_entries')
      .select(['verification', 'counted_hundredths'])
      .where(
        'id',
        'in',
        entries.map(({ id }) => id),
      )
      .orderBy('id')
      .execute();
    expect(rows.map((row) => [row.verification, row.counted_hundredths])).toEqual([
      ['verified', 200],
      ['verified', 150],
    ]);
  });

  test('explains in both languages that a link is no longer valid', async () => {
    await visit('/?verify=hours-gone', async (page) => {
      await page.getByRole('heading', { name: en.outsideGoneTitle }).waitFor();
      await page.getByRole('link', { name: shared.pageOtherLanguage }).click();
      await page.getByRole('heading', { name: 'Este enlace ya no sirve' }).waitFor();
      await inFull(() => expectAccessible(page));
    });
  });
});
