import { expect, test } from 'vitest';
import { blocksOf, justify as rowsOf, type Tile } from './justified-layout.ts';

const justify = (pictures: readonly Tile[], given: Parameters<typeof rowsOf>[1]) =>
  rowsOf(pictures, given).flat();

const layout = { width: 1000, height: 200, gap: 4, narrowest: 0.6, widest: 2.4 };
const landscape = { width: 4000, height: 3000 };
const portrait = { width: 3000, height: 4000 };

test('a full row has one height, fills the width, and keeps the proportions', () => {
  const tiles = justify([landscape, portrait, landscape, landscape, portrait], layout);
  const [first] = tiles;
  expect(tiles.every(({ height }) => height === first?.height)).toBe(true);
  expect(first?.height).toBeLessThanOrEqual(200);
  const taken = tiles.reduce((sum, { width }) => sum + width, 0) + 4 * 4;
  expect(taken).toBeLessThanOrEqual(1000);
  expect(taken).toBeGreaterThan(990);
  expect((first?.width ?? 0) / (first?.height ?? 1)).toBeCloseTo(4 / 3, 1);
});

test('the last row is not enlarged', () => {
  expect(justify([landscape], layout)).toEqual([{ width: 266, height: 200 }]);
});

test('a layout with two columns has two photos in every row', () => {
  const tiles = justify([portrait, landscape, landscape, portrait], { ...layout, width: 358, columns: 2 });
  expect(tiles[0]?.height).toBe(tiles[1]?.height);
  expect(tiles[2]?.height).toBe(tiles[3]?.height);
  expect((tiles[0]?.width ?? 0) + (tiles[1]?.width ?? 0) + 4).toBeLessThanOrEqual(358);
});

test('a panorama leaves room for its neighbors', () => {
  const [panorama, next] = justify([{ width: 10_000, height: 1000 }, landscape], { ...layout, columns: 2 });
  expect((panorama?.width ?? 0) / (panorama?.height ?? 1)).toBeCloseTo(2.4, 1);
  expect(next?.width).toBeGreaterThan(300);
});

test('the layout has one tile for each photo', () => {
  for (let count = 0; count < 30; count += 1) {
    expect(
      justify(
        Array.from({ length: count }, () => landscape),
        layout,
      ),
    ).toHaveLength(count);
  }
});

test('blocks contain whole rows and every photo in order', () => {
  const rows = rowsOf(
    Array.from({ length: 100 }, () => landscape),
    layout,
  );
  const blocks = blocksOf(rows, 24);
  expect(blocks.flatMap((block) => block.rows)).toEqual(rows);
  const counts = blocks.map((block) => block.rows.flat().length);
  expect(counts.slice(0, -1).every((count) => count >= 24 && count < 24 + 4)).toBe(true);
  let start = 0;
  for (const [at, block] of blocks.entries()) {
    expect(block.start).toBe(start);
    start += counts[at] ?? 0;
  }
  expect(blocksOf([], 24)).toEqual([]);
});
