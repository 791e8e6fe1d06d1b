import { expect } from 'vitest';
import { IS_FULL } from '../../test-level.ts';
import type { Visit } from '../browser.ts';
import { checkScreen } from '../check-screens.ts';
import { whatStays } from '../expect-accessible.ts';
import { SPOKEN } from '../spoken-language.ts';
import { IS_MARKED } from './pseudo-language.ts';
import { untranslated } from './untranslated.ts';

/** Whether all screens are walked, or only some in each of which much is said. */
export const IS_WHOLE = IS_FULL;

/** The page names the language of its words, and every word is in it. */
export async function expectSpoken({ page }: Visit): Promise<void> {
  expect(await page.locator('html').getAttribute('lang')).toBe(SPOKEN);
  expect(await whatStays(() => untranslated(page))).toEqual([]);
}

/** All that is checked of a screen in the first language, and its words; of a language that nobody reads, its words. */
export async function checkSpokenScreen(visit: Visit): Promise<void> {
  await expectSpoken(visit);
  if (!IS_MARKED) await checkScreen(visit);
}
