import { expect } from 'vitest';
import { IS_FULL } from '../../test-level.ts';
import type { Visit } from '../browser.ts';
import { checkScreen } from '../check-screens.ts';
import { whatStays } from '../expect-accessible.ts';
import { SPOKEN } from '../spoken-language.ts';
import { IS_MARKED } from './pseudo-language.ts';
import { untranslated } from './untranslated.ts';

/** Whether all screens are checked, or only some with a lot of text. */
export const IS_WHOLE = IS_FULL;

/** Expects that the page declares its language and that all text is in it. */
export async function expectSpoken({ page }: Visit): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe(SPOKEN);
  expect(await whatStays(() => untranslated(page))).toEqual([]);
}

/** Checks a screen's text, and except in the pseudo-language everything that `checkScreen` checks. */
export async function checkSpokenScreen(visit: Visit): Promise<void> {
  await expectSpoken(visit);
  if (!IS_MARKED) await checkScreen(visit);
}
