import { expect, it, test } from 'vitest';
import { findActivities, sortByNameMatch, toSearchable } from './activity-search.ts';

const activities = [
  { name: 'Book Fair', category: { name: 'Events' } },
  { name: 'Café des parents', category: { name: 'Community' } },
  { name: 'Fair play day', category: { name: 'Sports' } },
  { name: 'Math tutoring', category: { name: 'Classroom' } },
];

const namesFor = (query: string) =>
  findActivities(toSearchable(activities), query).map((activity) => activity.name);

test.each([
  ['a part of a name', 'boo', ['Book Fair']],
  ['text in any case', 'BOOK', ['Book Fair']],
  ['a missing accent', 'cafe', ['Café des parents']],
  ['an accent that is not in the name', 'bóok', ['Book Fair']],
  ['the category', 'classroom', ['Math tutoring']],
  ['words in any order', 'fair book', ['Book Fair']],
  ['one word of several', 'fair', ['Book Fair', 'Fair play day']],
  ['blanks around and between', '  fair   book ', ['Book Fair']],
  ['no regular expression', '.*', []],
  ['no activity for other text', 'zzzz', []],
])('the activity search matches %s', (_, query, names) => {
  expect(namesFor(query)).toEqual(names);
});

it('a blank activity search returns everything', () => {
  expect(namesFor('   ')).toHaveLength(activities.length);
});

it('activities found by name are sorted before those found by category', () => {
  const garden = [
    { name: 'Tool repair', category: { name: 'Garden' } },
    { name: 'Compost', category: { name: 'Garden' } },
    { name: 'School garden', category: { name: 'Grounds' } },
  ];
  expect(sortByNameMatch(garden, 'gard').map(({ name }) => name)).toEqual([
    'School garden',
    'Tool repair',
    'Compost',
  ]);
  expect(sortByNameMatch(garden, '')).toEqual(garden);
});

test('a translated activity is also found by its original name', () => {
  const all = [{ name: 'Feria del libro', originalName: 'Book fair', category: { name: 'Eventos' } }];
  for (const query of ['feria', 'book', 'BOOK eventos']) {
    expect(findActivities(toSearchable(all), query)).toHaveLength(1);
    expect(sortByNameMatch(all, query)).toHaveLength(1);
  }
  expect(findActivities(toSearchable(all), 'cake')).toEqual([]);
});
