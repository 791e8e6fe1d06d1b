import { expect, test } from 'vitest';
import { readNumber } from './number-format.ts';

test.each([
  ['0.5', 0.5],
  ['0,5', 0.5],
  ['1,5', 1.5],
  [',5', 0.5],
  ['31.80', 31.8],
  ['7', 7],
  [' 12 ', 12],
  ['3.', 3],
  ['1,000', 1000],
  ['1,234.50', 1234.5],
])('readNumber parses %s', (text, number) => expect(readNumber(text)).toBe(number));

test.each(['', '.', '1.234', '0,125', '1:30', '-1', '1e3', '1 2', 'two', '12,34,567'])(
  'readNumber rejects %j',
  (text) => expect(readNumber(text)).toBeUndefined(),
);
