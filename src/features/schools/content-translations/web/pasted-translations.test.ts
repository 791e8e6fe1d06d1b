import { expect, test } from 'vitest';
import { formatForPasting, parsePastedTranslations } from './admin-paste-translations.tsx';

const HEADS = { name: ['Name'], translation: ['Name in Spanish', 'Spanish'] };
const pairs = (text: string) =>
  parsePastedTranslations(text, HEADS).map(({ name, translation }) => [name, translation]);

test.each([
  ['two columns of a spreadsheet', 'Book fair\tFeria del libro\n Recess, lunch \t Recreo\r\n\n'],
  ['a first line that names them', 'name\tSPANISH\nBook fair\tFeria del libro\nRecess, lunch\tRecreo'],
  ['a CSV file', '\uFEFFName,Name in Spanish\nBook fair,Feria del libro\n"Recess, lunch",Recreo\n'],
  ['semicolons', 'Book fair;Feria del libro\nRecess, lunch;Recreo'],
  [
    'more columns, in another order',
    'Spanish\tCategory\tName\nFeria del libro\tEvents\tBook fair\nRecreo\tCampus\tRecess, lunch',
  ],
])('parses names from %s', (_, text) => {
  expect(pairs(text)).toEqual([
    ['Book fair', 'Feria del libro'],
    ['Recess, lunch', 'Recreo'],
  ]);
});

test('reads a line with one column as a name without a translation', () => {
  expect(pairs('Book fair\nRecess, lunch, play')).toEqual([
    ['Book fair', ''],
    ['Recess, lunch, play', ''],
  ]);
  expect(pairs('Book fair\t')).toEqual([['Book fair', '']]);
  expect(pairs(' \n')).toEqual([]);
});

test('reads the text that it formats', () => {
  const names = [
    { name: 'Book fair', translation: '' },
    { name: 'Recess, lunch', translation: 'Recreo; almuerzo' },
  ];
  expect(parsePastedTranslations(formatForPasting(names), HEADS)).toEqual(names);
});
