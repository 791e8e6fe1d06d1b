import { describe, expect, test } from 'vitest';
import { CategoryInput, kindFromName, messages } from './contract.ts';

test.each([
  ['Events', 'event'],
  [' EVENTS ', 'event'],
  ['Classroom', 'classroom'],
  ['Event', 'other'],
  ['Field trips', 'other'],
])('the category name %s is classified as %s', (name, kind) => {
  expect(kindFromName(name)).toBe(kind);
});

describe('category color', () => {
  const read = (color: unknown) => CategoryInput.safeParse({ schoolId: 1, name: 'Arts', color });

  test.each(['#abc', '#3498db', '#3498DB80', 'tomato', 'red'])('accepts %s', (color) => {
    expect(read(color).data?.color).toBe(color);
  });

  test.each([
    '#ab',
    '#abcd',
    '#abcde',
    '#3498db8',
    '#3498db801',
    'x#3498db',
    '#3498dbx',
    're',
    'x'.repeat(31),
    'url(x)',
    '#ggg',
    5,
  ])('rejects %s', (color) => {
    expect(read(color).error?.issues[0]?.message).toBe(messages.color);
  });

  test.each(['', '  ', null])('reads "%s" as no color', (color) => {
    expect(read(color).data?.color).toBeNull();
  });
});
