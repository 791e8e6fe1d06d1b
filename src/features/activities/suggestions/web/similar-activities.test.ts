import { expect, it, test } from 'vitest';
import { similarActivities } from './similar-activities.ts';

const SCHOOL = [
  'Book Fair',
  'Bake Sale',
  'Library Helpers',
  'Café des parents',
  'Reading buddies',
  'Grade 1 Field Trip',
  'Garden',
  'Fall Festival Setup',
  'Art Show',
].map((name) => ({ name }));

const meant = (typed: string, activities = SCHOOL) =>
  similarActivities(typed, activities).map(({ name }) => name);

test.each([
  ['the name itself', 'Book Fair', 'Book Fair'],
  ['another case', 'BOOK fair', 'Book Fair'],
  ['a plural', 'Book fairs', 'Book Fair'],
  ['a singular', 'Reading buddy', 'Reading buddies'],
  ['a typo', 'Bok Fair', 'Book Fair'],
  ['swapped letters', 'Libarry helpers', 'Library Helpers'],
  ['words in another order', 'fair book', 'Book Fair'],
  ['one word for two', 'Bookfair', 'Book Fair'],
  ['a missing accent', 'cafe des parents', 'Café des parents'],
  ['the beginning', 'libr', 'Library Helpers'],
  ['one word more', 'Spring book fair', 'Book Fair'],
  ['small words', 'The Fair of the Books', 'Book Fair'],
  ['signs', 'book-fair!', 'Book Fair'],
])('finds by %s', (_, typed, name) => {
  expect(meant(typed)).toContain(name);
});

test.each([
  ['nothing', ''],
  ['too little', 'bo'],
  ['signs alone', '...'],
  ['something else', 'Bike repair day'],
  ['a word that only looks a little alike', 'Boat'],
  ['one word of many', 'Spring setup crew for the science night'],
  ['another number', 'Grade 2 zoo visit'],
  ['a short word with another letter', 'Act shop'],
])('finds nothing by %s', (_, typed) => {
  expect(meant(typed)).toEqual([]);
});

it('names at most three, the most alike first', () => {
  const fairs = ['Fair Play Day', 'Fair', 'Science Fair', 'Book Fair', 'Science Fairs'].map((name) => ({
    name,
  }));
  expect(meant('science fair', fairs)).toEqual(['Science Fair', 'Science Fairs', 'Fair']);
});

it('does not take one grade for another', () => {
  const grades = ['Grade 1', 'Grade 2'].map((name) => ({ name }));
  expect(meant('Grade 2', grades)[0]).toBe('Grade 2');
});
