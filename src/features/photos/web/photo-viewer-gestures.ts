/**
 * The distance that a finger must move sideways to change the photo, and the delays before other photos are preloaded
 * (specification section 9).
 */
export const SWIPE_PX = 50;
export const PRELOAD = { neighboursMs: 50, restMs: 500, eitherSide: 2 } as const;

/** Returns the effect of a horizontal swipe: 1 shows the next photo, -1 the previous one, 0 stays. */
export function swipe(dx: number): -1 | 0 | 1 {
  if (Math.abs(dx) <= SWIPE_PX) return 0;
  return dx < 0 ? 1 : -1;
}

/** A photo to preload: full size (`view`) near the open photo, thumbnails for the rest of the strip. */
export type Preload = Readonly<{ index: number; size: 'view' | 'thumbnail'; afterMs: number }>;

/**
 * Returns what to preload around the photo at `index`: the adjacent photos, then thumbnails of the rest. After a move, two
 * photos on either side load immediately. In the browser's data-saving mode only the adjacent photos load.
 */
export function preloadPlan(
  index: number,
  total: number,
  { isMove = false, saveData = false }: { isMove?: boolean; saveData?: boolean } = {},
): Preload[] {
  const inside = (at: number) => at >= 0 && at < total && at !== index;
  const reach = isMove && !saveData ? PRELOAD.eitherSide : 1;
  const near = Array.from({ length: reach }, (_, step) => [index + step + 1, index - step - 1])
    .flat()
    .filter(inside);
  const first = near.map(
    (at): Preload => ({
      index: at,
      size: 'view',
      afterMs: isMove ? 0 : PRELOAD.neighboursMs,
    }),
  );
  if (isMove || saveData) return first;
  const rest = Array.from({ length: total }, (_, at) => at).filter((at) => inside(at) && !near.includes(at));
  return [
    ...first,
    ...rest.map((at): Preload => ({ index: at, size: 'thumbnail', afterMs: PRELOAD.restMs })),
  ];
}
