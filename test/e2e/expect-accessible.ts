import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect, vi } from 'vitest';
import { IS_FULL } from '../test-level.ts';
import type { Look } from './browser.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
// Reports only violations, and does not load style sheets, which none of these rules needs.
const LEAN = { resultTypes: ['violations' as const], preload: false };
const LOOK_AGAIN = { interval: 250, timeout: 15_000 };

/** Expects that axe finds no violations on the page, and that the page fits its width. */
export async function expectAccessible(page: Page): Promise<void> {
  await expectNoBarriers(page);
  await expectNoSideways(page);
}

/** Expects no axe violations in light and, in `npm run test:full`, in dark. Only colors differ between the two. */
export async function expectNoBarriers(page: Page, screen?: string): Promise<void> {
  await inColours(page, 'light');
  expect(await whatStays(() => barriers(page)), screen).toEqual([]);
  if (!IS_FULL) return;
  await inColours(page, 'dark');
  expect(await whatStays(() => barriers(page, ['color-contrast'])), screen).toEqual([]);
}

/** Runs a check only in `npm run test:full`. In the gate, axe checks each screen once, in axe-*.spec.ts. */
export async function inFull(check: () => Promise<unknown>): Promise<void> {
  if (IS_FULL) await check();
}

/** Expects that the page is no wider than its window. */
export async function expectNoSideways(page: Page): Promise<void> {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over).toBeLessThanOrEqual(0);
}

/** Sets the page's color scheme, which takes effect two frames later. */
export async function inColours(page: Page, colorScheme: Look['scheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

/**
 * Repeats `look` until it finds nothing, and returns what it still finds after the timeout. A page adapts to a new
 * width, text size or theme some frames later, and a dialog may still be opening.
 */
export async function whatStays(look: () => Promise<string[]>): Promise<string[]> {
  let found: string[] = [];
  const isEmpty = async () => {
    found = await look();
    return found.length === 0;
  };
  await vi.waitUntil(isEmpty, LOOK_AGAIN).catch(() => undefined);
  return found;
}

async function barriers(page: Page, only?: string[]): Promise<string[]> {
  // The engine is large and may be on the page already.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) }).setLegacyMode().options(LEAN);
  const { violations } = await (only === undefined ? axe.withTags(RULES) : axe.withRules(only)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}
