import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { commonMessages } from '#shared/common-messages.ts';
import { optionalText, requiredText } from '#shared/text-normalization.ts';
import { blanksAsNull, withoutBlanks } from './blank-fields.ts';

describe('a query', () => {
  test('loses its blank fields but not the others', () => {
    const given = { userId: '', search: '  ', limit: '20', rest: ['', 'a'], none: null };
    expect(withoutBlanks(given)).toEqual({ limit: '20', rest: ['', 'a'], none: null });
  });

  test.each([undefined, null, 'text', 5])('that is not an object is unchanged: %s', (given) => {
    expect(withoutBlanks(given)).toBe(given);
  });
});

describe('a blank text in a body', () => {
  const row = z.object({ hours: z.number(), note: z.nullish(z.string()) });
  const body = z.object({
    name: z.string(),
    reason: optionalText(10),
    day: z.optional(z.string()),
    color: z.nullable(z.string()),
    amount: z.optional(z.number()),
    entries: z.optional(z.array(row)),
    one: z.optional(row),
    maybe: z.nullable(row),
    title: requiredText(10, commonMessages.required),
  });

  test('becomes null if null is allowed or text is not', () => {
    const none = { reason: null, color: null, amount: null };
    expect(blanksAsNull(body, { reason: '', color: '', amount: '' })).toEqual(none);
  });

  test("stays blank if text is required, so that the field's own message is shown", () => {
    expect(blanksAsNull(body, { name: '', day: '', title: '' })).toEqual({ name: '', day: '', title: '' });
  });

  test('becomes null in rows and nested values', () => {
    const blank = { hours: '', note: '' };
    const full = { hours: 1, note: 'a' };
    const none = { hours: null, note: null };
    expect(blanksAsNull(body, { entries: [blank, full], one: blank, maybe: blank })).toEqual({
      entries: [none, full],
      one: none,
      maybe: none,
    });
    expect(blanksAsNull(z.array(z.number()), ['', 1])).toEqual([null, 1]);
  });

  test('does not change in unknown fields, or if the type is wrong', () => {
    const odd = { other: '', toString: '', entries: 'x', one: null };
    expect(blanksAsNull(body, odd)).toEqual(odd);
    expect([null, 'text', 5].map((given) => blanksAsNull(body, given))).toEqual([null, 'text', 5]);
    expect(blanksAsNull(z.string(), { a: '' })).toEqual({ a: '' });
    expect(() => blanksAsNull(body, [{ color: '' }])).not.toThrow();
  });
});
