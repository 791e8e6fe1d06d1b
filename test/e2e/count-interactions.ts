import type { Locator } from 'playwright-core';
import { IS_LONG } from '../test-level.ts';
import type { Visit } from './browser.ts';

export type Effort = { clicks: number; keys: number; seconds: number };

/** Uses a page and counts clicks, taps and keys. A shortcut such as Ctrl+V is one key. */
export type Person = {
  click: (what: Locator) => Promise<void>;
  /** Types into the focused element. */
  type: (text: string) => Promise<void>;
  key: (name: string) => Promise<void>;
  effort: () => Effort;
};

/** Starts counting. The seconds exclude the time that a person needs to think. */
export function asPerson({ page, press }: Visit): Person {
  const began = performance.now();
  let clicks = 0;
  let keys = 0;
  return {
    click: async (what) => {
      clicks += 1;
      await press(what);
    },
    type: async (text) => {
      keys += Array.from(text).length;
      await page.keyboard.type(text);
    },
    key: async (name) => {
      keys += 1;
      await page.keyboard.press(name);
    },
    effort: () => ({ clicks, keys, seconds: (performance.now() - began) / 1000 }),
  };
}

/** Prints the counts as one line in `npm run test:full -- effort`. */
export function printEffort(run: string, { clicks, keys, seconds }: Effort): void {
  if (IS_LONG) {
    console.log(`effort: ${run}: ${clicks} clicks, ${keys} keys, ${seconds.toFixed(1)} s`);
  }
}
