import { expect, test } from 'vitest';
import { parsePastedCategories } from './admin-add-categories.tsx';

test.each([
  [
    'a name on each line, and empty lines',
    ' Arts \r\n\n  \nSports\r',
    [{ name: 'Arts' }, { name: 'Sports' }],
  ],
  [
    'a name in each cell of a row',
    'Arts\tSports\tBoard',
    [{ name: 'Arts' }, { name: 'Sports' }, { name: 'Board' }],
  ],
  [
    'a color in the second column',
    'Arts\t#2B6CB0\nSports\tTomato\t\nBoard\t',
    [{ name: 'Arts', color: '#2B6CB0' }, { name: 'Sports', color: 'Tomato' }, { name: 'Board' }],
  ],
  [
    'columns with a heading',
    'Category\tColor\nArts\t#abc\nColour\tred',
    [
      { name: 'Arts', color: '#abc' },
      { name: 'Colour', color: 'red' },
    ],
  ],
  [
    'a color at the end of a line',
    'Arts #2b6cb0\nSports, #abc\nBoard ;#12345678',
    [
      { name: 'Arts', color: '#2b6cb0' },
      { name: 'Sports', color: '#abc' },
      { name: 'Board', color: '#12345678' },
    ],
  ],
  [
    'names that only look like colors',
    'Autumn Orange\nTeam #12\nRoom #12345\n#2b6cb0\nField\tCanvas\nRed\tconstructor\nRed\tBlue\tGreen',
    [
      'Autumn Orange',
      'Team #12',
      'Room #12345',
      '#2b6cb0',
      'Field',
      'Canvas',
      'Red',
      'constructor',
      'Red',
      'Blue',
      'Green',
    ].map((name) => ({ name })),
  ],
  ['nothing', ' \n\t\t\n', []],
])('a pasted list of categories may contain %s', (_what, pasted, categories) => {
  expect(parsePastedCategories(pasted)).toEqual(categories);
});
