/** Whether everything runs (`npm run test:full`): every screen, every spelling of a path, comparisons of the whole database. */
export const IS_FULL = process.env['TEST_FULL'] === '1';

/** Whether a stress test was started by its name, in its long form. */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** How long a browser test waits. Only a failing test or a busy machine takes that long. */
export const BROWSER_WAIT_MS = 60_000;
