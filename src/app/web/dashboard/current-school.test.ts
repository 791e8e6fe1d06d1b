import { expect, test } from 'vitest';
import { currentSchool } from './current-school.ts';

const schools = [{ id: 4 }, { id: 7 }];

test.each([
  ['the one chosen last', 7, 7],
  ['the first when none was chosen', undefined, 4],
  ['the first when the chosen one is not among them', 99, 4],
])('%s shows', (_, selectedId, shown) => {
  expect(currentSchool(schools, selectedId)?.id).toBe(shown);
});

test('without schools none shows', () => {
  expect(currentSchool([], 7)).toBeUndefined();
});
