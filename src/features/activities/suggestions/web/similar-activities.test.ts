import { expect, it, test } from 'vitest';
import { findSimilarActivities } from './similar-activities.ts';

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
  findSimilarActivities(typed, activities).map(({ name }) => name);

test.each([
  ['the name itself', 'Book Fair', 'Book Fair'],
  ['a different case', 'BOOK fair', 'Book Fair'],
  ['a plural', 'Book fairs', 'Book Fair'],
  ['a singular', 'Reading buddy', 'Reading buddies'],
  ['a typo', 'Bok Fair', 'Book Fair'],
  ['swapped letters', 'Libarry helpers', 'Library Helpers'],
  ['words in another order', 'fair book', 'Book Fair'],
  ['joined words', 'Bookfair', 'Book Fair'],
  ['a missing accent', 'cafe des parents', 'Café des parents'],
  ['the beginning of a word', 'libr', 'Library Helpers'],
  ['an extra word', 'Spring book fair', 'Book Fair'],
  ['small words', 'The Fair of the Books', 'Book Fair'],
  ['punctuation', 'book-fair!', 'Book Fair'],
])('the search for similar activities matches %s', (_, typed, name) => {
  expect(meant(typed)).toContain(name);
});

test.each([
  ['a blank name', ''],
  ['too few letters', 'bo'],
  ['punctuation only', '...'],
  ['an unrelated name', 'Bike repair day'],
  ['a word that only looks a little alike', 'Boat'],
  ['one common word of many', 'Spring setup crew for the science night'],
  ['another number', 'Grade 2 zoo visit'],
  ['a short word with another letter', 'Act shop'],
])('the search for similar activities does not match %s', (_, typed) => {
  expect(meant(typed)).toEqual([]);
});

it('the search for similar activities returns at most three matches, most similar first', () => {
  const fairs = ['Fair Play Day', 'Fair', 'Science Fair', 'Book Fair', 'Science Fairs'].map((name) => ({
    name,
  }));
  expect(meant('science fair', fairs)).toEqual(['Science Fair', 'Science Fairs', 'Fair']);
});

it('the search for similar activities ranks the exact grade number first', () => {
  const grades = ['Grade 1', 'Grade 2'].map((name) => ({ name }));
  expect(meant('Grade 2', grades)[0]).toBe('Grade 2');
});
