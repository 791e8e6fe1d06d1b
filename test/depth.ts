/** Whether everything runs (`npm run test:full`): every screen, odd spellings of every call, comparisons of the whole database. */
export const IS_FULL = process.env['TEST_FULL'] === '1';

/** Whether a stress test was started by its name, and takes the time it wants. */
export const IS_LONG = process.env['TEST_LONG'] === '1';

/** A number of a stress test: `npm run test:full -- kill-9 --cycles 50` sets `cycles`. */
export function stressCount(name: string, usual: number): number {
  return Number(process.env[`STRESS_${name.toUpperCase()}`] ?? usual);
}
