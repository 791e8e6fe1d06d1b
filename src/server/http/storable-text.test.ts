import { expect, test } from 'vitest';
import { makeStorable } from './blank-fields.ts';

test('makeStorable removes NUL and replaces unpaired surrogates', () => {
  expect(['a\0b\0', 'b\uDC00', '\uD800', 'Élodie 🌻', ''].map(makeStorable)).toEqual([
    'ab',
    'b\uFFFD',
    '\uFFFD',
    'Élodie 🌻',
    '',
  ]);
});

test('makeStorable cleans nested values, and does not change other types', () => {
  const given = { list: ['a\0', { name: 'b\0' }], none: null, number: 5, isSo: false };
  expect(makeStorable(given)).toEqual({ list: ['a', { name: 'b' }], none: null, number: 5, isSo: false });
  expect([null, undefined, 5, true].map(makeStorable)).toEqual([null, undefined, 5, true]);
});
