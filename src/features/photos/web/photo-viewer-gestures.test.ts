import { expect, test } from 'vitest';
import { preloadPlan, swipe } from './photo-viewer-gestures.ts';

test.each([
  [0, 0],
  [50, 0],
  [-50, 0],
  [51, -1],
  [-51, 1],
  [400, -1],
])('a horizontal swipe of %d px moves by %d', (dx, way) => {
  expect(swipe(dx)).toBe(way);
});

test('the viewer preloads adjacent photos after 50 ms and other thumbnails after 500 ms', () => {
  expect(preloadPlan(2, 6)).toEqual([
    { index: 3, size: 'view', afterMs: 50 },
    { index: 1, size: 'view', afterMs: 50 },
    { index: 0, size: 'thumbnail', afterMs: 500 },
    { index: 4, size: 'thumbnail', afterMs: 500 },
    { index: 5, size: 'thumbnail', afterMs: 500 },
  ]);
});

test('the viewer preloads two photos on either side immediately after moving on', () => {
  expect(preloadPlan(3, 9, { isMove: true }).map(({ index, afterMs }) => [index, afterMs])).toEqual([
    [4, 0],
    [2, 0],
    [5, 0],
    [1, 0],
  ]);
});

test('the viewer preloads nothing beyond the first and last photo', () => {
  expect(preloadPlan(0, 1)).toEqual([]);
  expect(preloadPlan(0, 3, { isMove: true }).map(({ index }) => index)).toEqual([1, 2]);
});

test('the viewer preloads only adjacent photos in data-saver mode', () => {
  expect(preloadPlan(3, 9, { saveData: true }).map(({ index }) => index)).toEqual([4, 2]);
  expect(preloadPlan(3, 9, { isMove: true, saveData: true }).map(({ index }) => index)).toEqual([4, 2]);
});
