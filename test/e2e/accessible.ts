import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Look } from './browser.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
// Only what is found is told in full, and no rule of these reads the style sheets by itself.
const LEAN = { resultTypes: ['violations' as const], preload: false };
const LOOKS = 8;
const LOOK_AGAIN_MS = 250;

/** The page as it stands has nothing that axe finds, in light and in dark, and fits its width. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoBarriers(page);
  await expectNoSideways(page);
}

/** Nothing that axe finds, in light and in dark. Colours are all that changes between the two. */
export async function expectNoBarriers(page: Page): Promise<void> {
  await inColours(page, 'light');
  expect(await whatStays(page, () => barriers(page))).toEqual([]);
  await inColours(page, 'dark');
  expect(await whatStays(page, () => barriers(page, ['color-contrast']))).toEqual([]);
}

/** The page is no wider than its window. */
export async function expectNoSideways(page: Page): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over).toBeLessThanOrEqual(0);
}

/** Has the page in these colours. It has taken the change over with the second picture after it. */
export async function inColours(page: Page, colorScheme: Look['scheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/**
 * What `look` finds also after a while: a page takes a new width, text size or theme over some pictures later, and a
 * dialog is still coming in; on a busy machine that lasts.
 */
export async function whatStays(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  let found = await look();
  for (let again = 0; found.length > 0 && again < LOOKS; again++) {
    await page.waitForTimeout(LOOK_AGAIN_MS);
    found = await look();
  }
  return found;
}

async function barriers(page: Page, only?: string[]): Promise<string[]> {
  // The engine is large, and for a second look it is on the page already.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) }).setLegacyMode().options(LEAN);
  const { violations } = await (only === undefined ? axe.withTags(RULES) : axe.withRules(only)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
