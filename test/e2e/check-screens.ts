import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Look, Visit } from './browser.ts';
import { openWorld, SCREENS, type Screen, type World } from './screens.ts';

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SMALLEST_TARGET = 44;
const LOOKS = 8;
const LOOK_AGAIN_MS = 250;

/** The least width of a phone, the ordinary one, and the two beyond which the layout changes. */
const WIDTHS: Readonly<Record<Look['device'], readonly number[]>> = {
  phone: [320, 390],
  desktop: [768, 1280],
};

/** Every state of every screen on a device: no barrier in light and dark, nothing sideways, every target large enough. */
export function checkScreens(device: Look['device'], screens: readonly Screen[] = SCREENS): void {
  describe(`on a ${device}`, () => {
    let world: World;

    beforeAll(async () => {
      world = await openWorld({ device, scheme: 'light' });
    });

    test.each(screens)('%s has no barriers and fits', async (_, who, reach) => {
      const visit = world[who];
      const { page } = visit;
      await inColours(page, 'light');
      await reach(visit, world);
      expect(await whatStays(page, () => barriers(page))).toEqual([]);
      await inColours(page, 'dark');
      // Colours are all that changes.
      expect(await whatStays(page, () => barriers(page, ['color-contrast']))).toEqual([]);
      if (device === 'phone') expect(await whatStays(page, () => smallTargets(page))).toEqual([]);
      expect(await sideways(visit, device)).toEqual([]);
    });
  });
}

// The page has taken a change of colours over with the second picture after it.
async function inColours(page: Page, colorScheme: Look['scheme']): Promise<void> {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    () => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))),
  );
}

async function barriers(page: Page, only?: string[]): Promise<string[]> {
  // The engine is large, and for a second look it is on the page already.
  const isThere = await page.evaluate(() => 'axe' in globalThis);
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: ';' } : {}) }).setLegacyMode();
  const { violations } = await (only === undefined ? axe.withTags(RULES) : axe.withRules(only)).analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary}`),
  );
}

async function sideways(visit: Visit, device: Look['device']): Promise<string[]> {
  const { page } = visit;
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const found: string[] = [];
  for (const width of WIDTHS[device]) {
    await page.setViewportSize({ ...size, width });
    found.push(...(await whatStays(page, () => stickingOut(page, width, `at ${width} px`))));
  }
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  const large = `at ${size.width} px and 200 % text`;
  found.push(...(await whatStays(page, () => stickingOut(page, size.width, large))));
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  return found;
}

// A page takes a new width, text size or theme over some pictures later, and a dialog is still coming in; on a busy machine
// that lasts. Only what stays counts.
async function whatStays(page: Page, look: () => Promise<string[]>): Promise<string[]> {
  let found = await look();
  for (let again = 0; found.length > 0 && again < LOOKS; again++) {
    await page.waitForTimeout(LOOK_AGAIN_MS);
    found = await look();
  }
  return found;
}

function stickingOut(page: Page, width: number, where: string): Promise<string[]> {
  return page.evaluate(
    ([most, place]) => {
      const window = document.documentElement.scrollWidth > most ? [`the page ${place}`] : [];
      const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
        .flatMap((dialog) => [dialog, ...dialog.querySelectorAll('div, form')])
        .filter(
          (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible',
        )
        .map(() => `the dialog ${place}`);
      const wide = [...document.querySelectorAll('body *')]
        .filter((element) => element.getBoundingClientRect().right > most + 1)
        .map((element) => element.outerHTML.slice(0, 100));
      return [...window, ...dialogs].map((part) => `${part}: ${wide.slice(0, 3).join(' ')}`);
    },
    [width, where] as const,
  );
}

/** What a finger could miss. A radio button's or check box's target is its label. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const pressable = 'a[href], button, input, select, textarea, [role="tab"], [role="menuitem"]';
    return [...document.querySelectorAll<HTMLElement>(pressable)]
      .filter((element) => element.checkVisibility() && element.closest('.sr-only') === null)
      .map((element) =>
        element.matches('[type="radio"], [type="checkbox"]') ? element.closest('label') : element,
      )
      .filter((target) => target !== null)
      .filter((target) => {
        const { width, height } = target.getBoundingClientRect();
        // What is 1 px is for screen readers.
        return width > 1 && (width < least - 0.5 || height < least - 0.5);
      })
      .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `${Math.round(width)} x ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`;
      });
  }, SMALLEST_TARGET);
}
