import { expect, test } from 'vitest';
import { barShare } from './most-active-tasks.tsx';

test.each([
  ['the most hours fill the bar', 8, 8, 1],
  ['half of the most hours fill half of the bar', 4, 8, 0.5],
  ['the bar is empty when there are no hours', 0, 0, 0],
])('%s', (_, hours, most, share) => {
  expect(barShare(hours, most)).toBe(share);
});
