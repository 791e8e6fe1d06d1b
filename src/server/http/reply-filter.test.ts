import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { CalendarDate } from '#shared/calendar-date.ts';
import { replyFilter } from './reply-filter.ts';

const Person = z.object({ id: z.int(), name: z.string() });
const Reply = z.object({
  rows: z.array(
    z.object({
      day: CalendarDate,
      by: Person,
      second: z.nullable(Person),
      third: z.optional(Person),
      tags: z.array(z.string()),
      kind: z.enum(['a', 'b']),
      either: z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
    }),
  ),
  next: z.nullable(z.string()),
});

const secret = { passwordHash: 'x', tokenHash: 'y' };
const row = {
  day: '2026-03-04',
  by: { id: 1, name: 'Ann', ...secret },
  second: { id: 2, name: 'Bob', ...secret },
  third: { id: 3, name: 'Cy', ...secret },
  tags: ['t'],
  kind: 'a',
  either: { b: 'this', ...secret },
  ...secret,
};
const clean = {
  day: '2026-03-04',
  by: { id: 1, name: 'Ann' },
  second: { id: 2, name: 'Bob' },
  third: { id: 3, name: 'Cy' },
  tags: ['t'],
  kind: 'a',
  either: { b: 'this' },
};

test.each([false, true])('replyFilter removes fields not in the contract (checked: %s)', (isChecked) => {
  const leave = replyFilter(Reply, isChecked);
  expect(JSON.parse(JSON.stringify(leave({ rows: [row], next: 'n', ...secret })))).toEqual({
    rows: [clean],
    next: 'n',
  });
  const { third: _, ...without } = row;
  const { third: __, ...left } = clean;
  expect(JSON.parse(JSON.stringify(leave({ rows: [{ ...without, second: null }], next: null })))).toEqual({
    rows: [{ ...left, second: null }],
    next: null,
  });
});

test('in tests, a reply that violates the contract is an error', () => {
  const leave = replyFilter(Reply, true);
  expect(() => leave({ rows: [{ ...row, by: { id: 1 } }], next: null })).toThrow('name');
  expect(() => leave({ rows: [{ ...row, day: '2026-02-30' }], next: null })).toThrow('day');
  expect(() => leave({ rows: [] })).toThrow('next');
});
