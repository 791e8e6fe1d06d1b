import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { baseMessages } from './messages.ts';
import { clean, fold, optionalText, requiredText } from './text.ts';

test('a text is stored in one form, without what nobody can see', () => {
  expect(clean('  Ame\u0301lie\u0000 \r\nB\u202Eob\u2066\t ')).toBe('Amélie \nBob');
});

// What joins, vanishes, or breaks a line.
const TRICKY = fc.constantFrom(...'eé\u0301\u0000\r\n\t \u202E\uFEFF\u1100\u1161\u11A8\u0327a');

test('cleaning twice changes nothing more', () => {
  fc.assert(
    fc.property(fc.string({ unit: TRICKY }), (text) => {
      expect(clean(clean(text))).toBe(clean(text));
    }),
  );
});

test('a search finds names without their accents and in any case', () => {
  expect(fold('  Élodie   NUÑEZ ')).toBe('elodie nunez');
  expect(fold('Ångström')).toBe(fold('angstrom'));
});

test('a required text is not blank, an optional one becomes null', () => {
  const Name = requiredText(5, baseMessages.required);
  expect(z.safeParse(Name, ' a ').data).toBe('a');
  for (const wrong of ['', ' \u0000 ', 'abcdef', null, undefined, 5]) {
    expect(z.safeParse(Name, wrong).success).toBe(false);
  }
  const Note = z.object({ note: optionalText(3) });
  expect(z.parse(Note, { note: '  ' })).toEqual({ note: null });
  expect(z.parse(Note, {})).toEqual({});
  expect(z.safeParse(Note, { note: 'abcd' }).success).toBe(false);
});
