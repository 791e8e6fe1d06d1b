import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

export const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses Tab until an element has the focus. Expects a visible focus at each stop. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < 60; stop += 1) {
    await page.keyboard.press(key);
    const { isOnPage, isSeen, name } = await focused(page);
    if (isOnPage) expect(isSeen, `focus is visible on ${name}`).toBe(true);
    if (await hasFocus(target)) return;
  }
  throw new Error(`No Tab leads to ${target}`);
}

/** Waits until a dialog has the focus, because it receives no keys before that. */
export async function opened(page: Page, role: 'dialog' | 'alertdialog', name?: string): Promise<Locator> {
  const dialog = page.getByRole(role, name === undefined ? {} : { name });
  await expect.poll(() => dialog.evaluate((element) => element.contains(document.activeElement))).toBe(true);
  return dialog;
}

/**
 * Returns where the focus is, and whether an outline of at least 2 px shows it: the element's own, or that of a radio
 * button's label or a chip's frame.
 */
export function focused(page: Page) {
  return page.evaluate(() => {
    const element = document.activeElement;
    const isOnPage = element !== null && element !== document.body;
    const label = element instanceof HTMLInputElement ? element.closest('label') : null;
    const isSeen = [element, label, element?.parentElement ?? null].some((one) => {
      if (one === null) return false;
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one);
      const isClear = outlineColor === 'transparent' || outlineColor === 'rgba(0, 0, 0, 0)';
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2 && !isClear;
    });
    const name = element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    return { isOnPage, isSeen, name: `${element?.tagName} ${name.slice(0, 40)}` };
  });
}
