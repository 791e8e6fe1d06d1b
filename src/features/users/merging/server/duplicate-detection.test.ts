import { describe, expect, test } from 'vitest';
import { differsByOneLetter, findDuplicatePairs } from './duplicate-detection.ts';
import type { Candidate } from './duplicates-store.ts';

let made = 0;
const one = (firstName: string, lastName: string, more: Partial<Candidate> = {}): Candidate => {
  const id = ++made;
  return {
    id,
    firstName,
    lastName,
    email: `p${id}@maplegrove.example`,
    isWalkIn: false,
    schools: [1],
    ...more,
  };
};
const reasons = async (...people: Candidate[]) =>
  (await findDuplicatePairs(people)).map(({ reason }) => reason);

describe('findDuplicatePairs', () => {
  test.each([
    ['name', one('Anna', 'Lee'), one('anna', 'LEE')],
    ['name', one('Élodie', 'Nuñez-Park'), one('Elodie', 'Nunez Park')],
    ['swapped', one('Lee', 'Anna'), one('Anna', 'Lee')],
    ['alike', one('Jon', 'Baker'), one('John', 'Baker')],
    ['alike', one('Maria', 'Lopez'), one('Maria', 'Lopes')],
    ['alike', one('Maria', 'Gonzales'), one('Maria', 'Gonzaels')],
    ['walkIn', one('Maria', 'Lopez', { isWalkIn: true, email: '' }), one('Maria', 'Lopez')],
    ['elsewhere', one('Maria', 'Lopez'), one('Maria', 'Lopez', { schools: [2] })],
    [
      'address',
      one('Maria', 'Lopez', { email: 'm.lopez@gmail.com' }),
      one('M', 'L', { email: 'MLopez+pta@googlemail.com' }),
    ],
    [
      'address',
      one('Ann', 'Poe', { email: 'ann.poe@own.example' }),
      one('A', 'P', { email: 'annpoe+x@own.example' }),
    ],
  ])('finds a pair with the reason %s: %o', async (reason, first, second) => {
    expect(await reasons(first, second)).toEqual([reason]);
  });
});

test.each([
  [one('Tim', 'Lee'), one('Tom', 'Lee')],
  [one('Maria', 'Lopez'), one('Mario', 'Lopez', { schools: [2] })],
  [one('Ann', 'Lee'), one('Ann', 'Poe')],
  [one('', '', { email: '' }), one('', '', { email: '' })],
  [one('ann.poe@a.example', 'x'), one('B', 'C', { email: 'ann.poe@b.example' })],
])('findDuplicatePairs does not pair %o with a different person', async (first, second) => {
  expect(await reasons(first, second)).toEqual([]);
});

test('findDuplicatePairs lists a pair once, with its strongest reason', async () => {
  const [first, second] = [one('Ann', 'Lee'), one('Ann', 'Lee')];
  expect(await reasons({ ...first, email: 'ann@a.example' }, { ...second, email: 'Ann@a.example' })).toEqual([
    'address',
  ]);
});

test('differsByOneLetter is true for one missing, different or swapped letter, and false otherwise', () => {
  expect([
    differsByOneLetter('lopez', 'lopes'),
    differsByOneLetter('lopez', 'lope'),
    differsByOneLetter('lopez', 'lpoez'),
    differsByOneLetter('lopez', 'lopez'),
    differsByOneLetter('lopez', 'lpoze'),
    differsByOneLetter('', 'ab'),
  ]).toEqual([true, true, true, false, false, false]);
});

test('among 5,000 people of one name, there are at most eight pairs per person', async () => {
  const same = Array.from({ length: 5_000 }, () => one('Test', 'Person'));
  const pairs = await findDuplicatePairs(same);
  expect(pairs.length).toBeGreaterThan(5_000);
  expect(pairs.length).toBeLessThanOrEqual(8 * 5_000);
});
