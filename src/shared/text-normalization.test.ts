import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { commonMessages } from './common-messages.ts';
import {
  foldForSearch,
  normalizeLine,
  normalizeText,
  optionalText,
  requiredText,
  searchWords,
} from './text-normalization.ts';

test('normalizeText returns one form without invisible characters', () => {
  expect(normalizeText('  Ame\u0301lie\u0000 \r\nB\u202Eob\u2066\t ')).toBe('Amélie \nBob');
});

// What joins, vanishes, or breaks a line.
const TRICKY = fc.constantFrom(
  ...'eé\u0301\u0000\r\n\t \u202E\uFEFF\u1100\u1161\u11A8\u0327a\u200D\u00ADक👩',
);

test.each(['e\u0301\u200D\u0327', 'e\u200D\u0301\u200D\u0327', '=\u0338\u200D\u0327'])(
  'normalizeText removes joiners between marks that merge with their letter: %j',
  (text) => {
    expect(normalizeText(text)).not.toContain('\u200D');
    expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
  },
);

test('normalizing twice has no further effect', () => {
  fc.assert(
    fc.property(fc.string({ unit: TRICKY }), (text) => {
      expect(normalizeText(normalizeText(text))).toBe(normalizeText(text));
    }),
  );
});

test.each([
  '\u200B',
  '\u00AD',
  '\u200D',
  '\u2060',
  '\uFEFF',
  '\u3164',
  '\u2800',
  '\u0085',
  '\uFFFE',
  '\u{E0041}',
])('normalizeText removes %j', (unseen) => {
  expect(normalizeText(`${unseen} ${unseen}`)).toBe('');
  expect(normalizeText(`Ve${unseen}ra`)).toBe('Vera');
});

test.each(['می‌خواهم', 'क्‍ष', '👩‍🚀', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🏳️‍🌈', 'Zoë', 'مُحَمَّد'])(
  'normalizeText does not change %s',
  (text) => {
    expect(normalizeText(text)).toBe(text);
  },
);

test('normalizeLine puts a name on one line', () => {
  expect(normalizeLine('Ann\nBcc: x@y.z\tand\u2028more')).toBe('Ann Bcc: x@y.z and more');
});

test('a search ignores accents and case in names', () => {
  expect(foldForSearch('  Élodie   NUÑEZ ')).toBe('elodie nunez');
  expect(foldForSearch('Ångström')).toBe(foldForSearch('angstrom'));
});

test.each([
  ['Łukasz Łukasiewicz', 'Lukasz Lukasiewicz'],
  ['Sørensen', 'Sorensen'],
  ['Đặng', 'Dang'],
  ['Groß', 'GROSS'],
  ['Þórður Æsisson', 'Thordur Aesisson'],
  ['Işık', 'Isik'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
  ['Ёлкина', 'Елкина'],
  ['O’Brien', "O'Brien"],
  ['Ve\u200Bra', 'Vera'],
])('a search treats %s and %s as the same name', (one, other) => {
  expect(foldForSearch(one)).toBe(foldForSearch(other));
});

test.each([
  ['सीता', 'सुता'],
  ['दाल', 'दिल'],
  ['かな', 'がな'],
  ['はは', 'ぱぱ'],
  ['นา', 'น้ำ'],
  ['ராம', 'ராமு'],
  ['하나', '한나'],
])('a search treats %s and %s as different names', (one, other) => {
  expect(foldForSearch(one)).not.toBe(foldForSearch(other));
});

test('a search for "last, first" looks for both names', () => {
  expect(searchWords(' Olsen,  VÉRA ')).toEqual(['olsen', 'vera']);
  expect(searchWords(' , ')).toEqual([]);
});

test('a required text cannot be blank, and an optional one becomes null', () => {
  const Name = requiredText(5, commonMessages.required);
  expect(z.safeParse(Name, ' a ').data).toBe('a');
  for (const wrong of ['', ' \u0000 ', 'abcdef', null, undefined, 5]) {
    expect(z.safeParse(Name, wrong).success).toBe(false);
  }
  const Note = z.object({ note: optionalText(3) });
  expect(z.parse(Note, { note: '  ' })).toEqual({ note: null });
  expect(z.parse(Note, {})).toEqual({});
  expect(z.safeParse(Note, { note: 'abcd' }).success).toBe(false);
});
