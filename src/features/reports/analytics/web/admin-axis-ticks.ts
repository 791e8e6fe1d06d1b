const STEPS = [1, 2, 2.5, 5, 10];
const MOST_STEPS = 4;

/** The axis ticks of a chart: at most five round numbers, from 0 to at least the highest value. */
export function ticksUpTo(highest: number): number[] {
  if (!(highest > 0)) return [0, 1];
  const scale = 10 ** Math.floor(Math.log10(highest / MOST_STEPS));
  const step = scale * (STEPS.find((one) => one * scale * MOST_STEPS >= highest) ?? 10);
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, index) => index * step);
}
