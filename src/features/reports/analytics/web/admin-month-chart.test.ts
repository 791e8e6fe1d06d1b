import { expect, test } from 'vitest';
import { ticksUpTo } from './admin-month-chart.tsx';

test.each([
  [0, [0, 1]],
  [1, [0, 0.25, 0.5, 0.75, 1]],
  [7, [0, 2, 4, 6, 8]],
  [100, [0, 25, 50, 75, 100]],
  [412.5, [0, 200, 400, 600]],
])('an axis up to %f has round ticks', (highest, ticks) => {
  expect(ticksUpTo(highest)).toEqual(ticks);
});
