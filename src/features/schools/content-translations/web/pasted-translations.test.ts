import { expect, test } from 'vitest';
import { formatForPasting, parsePastedTranslations } from './admin-paste-translations.tsx';

const HEADS = { name: ['Name'], translation: ['Name in Spanish', 'Spanish'] };
const pairs = (text: string) =>
  parsePastedTranslations(text, HEADS).map(({ name, translation }) => [name, translation]);

test.each([
  ['two columns of a spreadsheet', 'Book fair\tFeria del libro\n Recess, lunch \t Recreo\r\n\n'],
  ['columns that the first line names', 'name\tSPANISH\nBook fair\tFeria del libro\nRecess, lunch\tRecreo'],
  ['a CSV file', '\uFEFFName,Name in Spanish\nBook fair,Feria del libro\n"Recess, lunch",Recreo\n'],
  ['lines with semicolons', 'Book fair;Feria del libro\nRecess, lunch;Recreo'],
  [
    'more columns, in another order',
    'Spanish\tCategory\tName\nFeria del libro\tEvents\tBook fair\nRecreo\tCampus\tRecess, lunch',
  ],
])('names and translations are parsed from %s', (_, text) => {
  expect(pairs(text)).toEqual([
    ['Book fair', 'Feria del libro'],
    ['Recess, lunch', 'Recreo'],
  ]);
});

test('a line with one column is parsed as a name without a translation', () => {
  expect(pairs('Book fair\nRecess, lunch, play')).toEqual([
    ['Book fair', ''],
    ['Recess, lunch, play', ''],
  ]);
  expect(pairs('Book fair\t')).toEqual([['Book fair', '']]);
  expect(pairs(' \n')).toEqual([]);
});

test('names formatted for pasting are parsed into the same names', () => {
  const names = [
    { name: 'Book fair', translation: '' },
    { name: 'Recess, lunch', translation: 'Recreo; almuerzo' },
  ];
  expect(parsePastedTranslations(formatForPasting(names), HEADS)).toEqual(names);
});
