import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Look, Visit } from './browser.ts';
import { expectNoBarriers, inColours, whatStays } from './expect-accessible.ts';
import { openWorld, SCREENS, type Screen, type World } from './screens.ts';

const SMALLEST_TARGET = 44;

/** The smallest and the usual width of a phone, and the two widths at which the layout changes. */
const WIDTHS: Readonly<Record<Look['device'], readonly number[]>> = {
  phone: [320, 390],
  desktop: [768, 1280],
};

/** Widths that are also checked with 200% text. */
const WITH_LARGE_TEXT: typeof WIDTHS = { phone: [320, 390], desktop: [1280] };

/** Tests every state of the screens on a device, by default with `checkScreen`. */
export function checkScreens(
  device: Look['device'],
  screens: readonly Screen[] = SCREENS,
  check: (visit: Visit) => Promise<void> = checkScreen,
): void {
  describe(`on a ${device}`, () => {
    let world: World;

    beforeAll(async () => {
      world = await openWorld({ device, scheme: 'light' });
    });

    test.each(screens)('%s is accessible and fits the screen', async (_, who, reach) => {
      const visit = world[who];
      await inColours(visit.page, 'light');
      await reach(visit, world);
      await check(visit);
    });
  });
}

/** Expects no accessibility violations in light and dark, no horizontal scrolling, and large enough targets on a phone. */
export async function checkScreen(visit: Visit): Promise<void> {
  const { page, look } = visit;
  await expectNoBarriers(page);
  if (look.device === 'phone') expect(await whatStays(() => smallTargets(page))).toEqual([]);
  expect(await misfits(visit)).toEqual([]);
}

/** Returns what overflows or is cut off at each width of the device, and with 200% text. */
export async function misfits({ page, look: { device } }: Visit): Promise<string[]> {
  const size = page.viewportSize() ?? { width: 0, height: 0 };
  const found: string[] = [];
  for (const width of WIDTHS[device]) {
    await page.setViewportSize({ ...size, width });
    found.push(...(await whatStays(() => overflowAndCuts(page, width, `at ${width} px`))));
  }
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'));
  for (const width of WITH_LARGE_TEXT[device]) {
    await page.setViewportSize({ ...size, width });
    // The page applies a new text size two frames later.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    found.push(...(await whatStays(() => overflowAndCuts(page, width, `at ${width} px and 200 % text`))));
  }
  await page.setViewportSize(size);
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  return found;
}

async function overflowAndCuts(page: Page, width: number, where: string): Promise<string[]> {
  return [...(await overflowing(page, width, where)), ...(await cut(page, where))];
}

/** Text that its box cuts off. A row of tabs scrolls on purpose. */
function cut(page: Page, where: string): Promise<string[]> {
  return page.evaluate((place) => {
    const hides = (element: Element) =>
      element.matches('[role="tablist"]:not([aria-orientation])') ||
      ['hidden', 'clip'].includes(getComputedStyle(element).overflowX);
    return [...document.querySelectorAll<HTMLElement>('body *:not(select, input, textarea)')]
      .filter((element) => element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1)
      .filter((element) => hides(element) && element.innerText.trim() !== '')
      .map((element) => `cut ${place}: ${element.outerHTML.slice(0, 160)}`);
  }, where);
}

function overflowing(page: Page, width: number, where: string): Promise<string[]> {
  return page.evaluate(
    ([most, place]) => {
      const describe = (element: Element) => element.outerHTML.slice(0, 160);
      const scrolls = (part: Element | null, within: Element): boolean =>
        part !== null &&
        part !== within &&
        (getComputedStyle(part).overflowX !== 'visible' || scrolls(part.parentElement, within));
      const wide = (within: Element, right: number) =>
        [...within.querySelectorAll('*')]
          .filter((part) => part.getBoundingClientRect().right > right + 1)
          .filter((part) => !scrolls(part.parentElement, within));
      const isPageWide = document.documentElement.scrollWidth > most;
      const page = isPageWide
        ? [`the page ${place}: ${wide(document.body, most).slice(-3).map(describe)}`]
        : [];
      const dialogs = [...document.querySelectorAll('[role="dialog"], [role="alertdialog"]')]
        .flatMap((dialog) => [dialog, ...dialog.querySelectorAll('div, form')])
        .filter(
          (part) => part.scrollWidth > part.clientWidth + 1 && getComputedStyle(part).overflowX !== 'visible',
        )
        .map((part) => {
          const { right } = part.getBoundingClientRect();
          return `the dialog ${place}: ${wide(part, right).slice(-3).map(describe)}`;
        });
      return [...page, ...dialogs];
    },
    [width, where] as const,
  );
}

/** Touch targets that are too small. The target of a radio button or check box is its label. */
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
        // Elements of 1 px are for screen readers.
        return width > 1 && (width < least - 0.5 || height < least - 0.5);
      })
      .map((target) => {
        const { width, height } = target.getBoundingClientRect();
        return `${Math.round(width)} x ${Math.round(height)}: ${target.outerHTML.slice(0, 120)}`;
      });
  }, SMALLEST_TARGET);
}
