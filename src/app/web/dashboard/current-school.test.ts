import { expect, test } from 'vitest';
import { currentSchool } from './current-school.ts';

const schools = [{ id: 4 }, { id: 7 }];

test.each([
  ['the last selected one', 7, 7],
  ['the first one if none is selected', undefined, 4],
  ['the first one if the selected one is gone', 99, 4],
])('the current school is %s', (_, selectedId, shown) => {
  expect(currentSchool(schools, selectedId)?.id).toBe(shown);
});

test('there is no current school without schools', () => {
  expect(currentSchool([], 7)).toBeUndefined();
});
