import { expect, it, test } from 'vitest';
import { readIds, withSelected } from './recently-selected-activities.ts';

it('the recent list keeps the last eight selected activities, latest first', () => {
  const ids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].reduce(withSelected, [] as number[]);
  expect(ids).toEqual([10, 9, 8, 7, 6, 5, 4, 3]);
});

it('an activity moves to the front of the recent list when it is selected again', () => {
  expect(withSelected([3, 2, 1], 1)).toEqual([1, 3, 2]);
});

test.each([
  ['nothing', null, []],
  ['a list', '[4,2]', [4, 2]],
  ['invalid JSON', '{', []],
  ['another shape', '{"a":1}', []],
  ['entries that are not ids', '[4,"x",null,1.5]', [4]],
  ['more than eight ids', '[1,2,3,4,5,6,7,8,9]', [1, 2, 3, 4, 5, 6, 7, 8]],
])('the recent list is valid after reading %s from storage', (_, stored, ids) => {
  expect(readIds(stored)).toEqual(ids);
});
