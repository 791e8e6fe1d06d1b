/** Whether everything runs (`npm run test:full`): every screen, odd spellings of every call, comparisons of the whole database. */
export const IS_FULL = process.env['TEST_FULL'] === '1';

/** Whether a stress test was started by its name, and takes the time it wants. */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** How long a browser test waits for anything. Only a failing test takes that long, except where the machine is busy. */
export const BROWSER_WAIT_MS = 60_000;
