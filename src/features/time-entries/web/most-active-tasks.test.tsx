import { expect, test } from 'vitest';
import { barShare } from './most-active-tasks.tsx';

test.each([
  ['the most is the whole width', 8, 8, 1],
  ['half of it is half', 4, 8, 0.5],
  ['nothing to compare with is nothing', 0, 0, 0],
])('%s', (_, hours, most, share) => {
  expect(barShare(hours, most)).toBe(share);
});
