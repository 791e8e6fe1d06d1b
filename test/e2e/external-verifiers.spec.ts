import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import en from '#features/verification/messages.server.en.json' with { type: 'json' };
import shared from '#shared/messages.server.en.json' with { type: 'json' };
import { launchChromium } from '../../scripts/chromium.ts';
import { anActivity, anAdministrator, anOutsideLetter, aPerson, aSchool } from '../builders.ts';
import { fullTest } from '../full-test.ts';
import { multipart } from '../upload.ts';
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

const LOOKS = [
  { name: 'phone', width: 390 },
  { name: 'narrow phone', width: 320 },
  { name: 'desktop', width: 1280 },
] as const;

async function expectFits(page: Page): Promise<void> {
  const { scroll, width } = await page.evaluate(() => ({
    scroll: document.documentElement.scrollWidth,
    width: document.documentElement.clientWidth,
  }));
  expect(scroll).toBeLessThanOrEqual(width);
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

  fullTest.each(LOOKS)(
    'is accessible on a $name of $width px before and after a decision, and after an error',
    async (look) => {
      const { token } = await aLetter();
      const settings = { viewport: { width: look.width, height: 844 } };
      await visit(
        `/?verify=${token}`,
        async (page) => {
          await page.getByText(en.outsideStop, { exact: true }).click();
          await page.getByText(en.outsideOneByOne, { exact: true }).click();
          await expectAccessible(page);
          await expectFits(page);
          await page.getByLabel(en.outsideWrong).first().check();
          // The button would confirm the entry that was just marked as wrong.
          expect(await page.getByRole('button', { name: /^Yes, confirm/ }).isVisible()).toBe(false);
          await page.getByRole('button', { name: en.outsideSend }).click();
          await page.getByRole('alert').waitFor();
          await expectAccessible(page);
          await expectFits(page);
          await page.getByLabel(en.outsideReason).first().fill('She helped on Monday only');
          await page.getByRole('button', { name: en.outsideSend }).click();
          await page.getByRole('heading', { name: en.outsideThanks }).waitFor();
          await expectAccessible(page);
        },
        settings,
      );
    },
  );

  fullTest("shows the district's logo, also without JavaScript", async () => {
    const { token: ada } = await anAdministrator(district);
    const badge = sharp({ create: { width: 600, height: 150, channels: 4, background: '#12305a' } });
    const file = { name: 'a.png', content: await badge.png().toBuffer() };
    const logo = await multipart('logo', [file]);
    await district.call('POST /api/admin/settings/logo', { token: ada, ...logo });
    const { token } = await aLetter();
    for (const settings of [{}, { javaScriptEnabled: false, viewport: { width: 320, height: 640 } }]) {
      await visit(
        `/?verify=${token}`,
        async (page) => {
          const shown = page.locator('header img[src^="/api/schools/logos/"]');
          // An image that is blocked by the policy or missing has no natural height.
          await expect.poll(() => shown.evaluate((img: HTMLImageElement) => img.naturalHeight)).toBe(125);
          expect((await shown.boundingBox())?.height).toBe(40);
          await expectFits(page);
          if (!('viewport' in settings)) await expectAccessible(page);
        },
        settings,
      );
    }
    await district.call('DELETE /api/admin/settings/logo', { token: ada });
    await visit(`/?verify=${token}`, async (page) => expect(await page.locator('img').count()).toBe(0));
  });

  fullTest('fits a phone at 200% text size', async () => {
    const { token } = await aLetter();
    await visit(`/?verify=${token}`, async (page) => {
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%';
      });
      await expectFits(page);
    });
  });
});
