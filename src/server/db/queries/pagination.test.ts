import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HttpError } from '#shared/errors.ts';
import { PAGE } from '#shared/list-query.ts';
import { cutPage, type PageKey, readPage } from './pagination.ts';

const KEY = Buffer.from('a key of this installation, 32+ ch');
const OTHER_KEY = Buffer.from('a key of another installation, 32+');

/** The cursor that a list gives out when a page ends with this key. */
function cursorAfter(list: string, key: PageKey, secretKey = KEY): string {
  const { nextCursor } = cutPage(secretKey, { list, rows: [key, key], limit: 1 }, (row) => row);
  if (nextCursor === null) throw new Error('no cursor');
  return nextCursor;
}

const anyKey = fc.array(fc.oneof(fc.string({ unit: 'grapheme' }), fc.maxSafeInteger()), {
  minLength: 1,
  maxLength: 3,
});

describe('a page', () => {
  test('has at most as many rows as its limit, and a cursor only if more rows follow', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 20 }), (ids, limit) => {
        const asked = ids.slice(0, limit + 1);
        const { rows, nextCursor } = cutPage(KEY, { list: 'users', rows: asked, limit }, (id) => [id]);
        expect(rows).toEqual(ids.slice(0, limit));
        expect(nextCursor === null).toBe(ids.length <= limit);
        if (nextCursor === null) return;
        expect(readPage(KEY, 'users', { limit, cursor: nextCursor })).toEqual({
          limit,
          after: [rows.at(-1)],
        });
      }),
    );
  });

  test('uses the requested limit or the default, and starts at the beginning without a cursor', () => {
    expect(readPage(KEY, 'users', {})).toEqual({ limit: PAGE.default, after: undefined });
    expect(readPage(KEY, 'users', { limit: 7 })).toEqual({ limit: 7, after: undefined });
  });
});

describe('a cursor', () => {
  test('returns to the position for which it was issued', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(readPage(KEY, 'users', { cursor: cursorAfter('users', key) }).after).toEqual(key);
      }),
    );
  });

  test('is invalid for another list, and on a server with another key', () => {
    fc.assert(
      fc.property(anyKey, (key) => {
        expect(() => readPage(KEY, 'schools', { cursor: cursorAfter('users', key) })).toThrow(HttpError);
        expect(() => readPage(KEY, 'users', { cursor: cursorAfter('users', key, OTHER_KEY) })).toThrow(
          HttpError,
        );
      }),
    );
  });

  test('with any changed character is rejected', () => {
    fc.assert(
      fc.property(anyKey, fc.nat(), fc.string({ minLength: 1, maxLength: 3 }), (key, at, put) => {
        const cursor = cursorAfter('users', key);
        const index = at % (cursor.length + 1);
        const replaced = `${cursor.slice(0, index)}${put}${cursor.slice(index + put.length)}`;
        const inserted = `${cursor.slice(0, index)}${put}${cursor.slice(index)}`;
        for (const altered of [replaced, inserted, cursor.slice(0, index)]) {
          if (altered === cursor) continue;
          expect(() => readPage(KEY, 'users', { cursor: altered }), altered).toThrow(HttpError);
        }
      }),
    );
  });

  test.each(['', '.', '..', 'x', 'bnVsbA.', '.x', `${'a'.repeat(1000)}.${'b'.repeat(22)}`])(
    'that is malformed (%j) is rejected with an error at the field',
    (cursor) => {
      const refused = () => readPage(KEY, 'users', { cursor });
      expect(refused).toThrow(expect.objectContaining({ kind: 'invalid' }));
      expect(refused).toThrow(
        expect.objectContaining({ details: { fields: { cursor: expect.anything() } } }),
      );
    },
  );

  test('with trailing data is rejected', () => {
    expect(() => readPage(KEY, 'users', { cursor: `${cursorAfter('users', [1])}.x` })).toThrow(HttpError);
  });
});
