import { expect, test } from 'vitest';
import { formatBytes, formatDuration } from './unit-format.ts';

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1_000, '1 kB'],
  [1_234_567, '1.2 MB'],
  [15_000_000_000, '15 GB'],
  [2e15, '2,000 TB'],
])('%i bytes are formatted as %s', (bytes, text) => {
  expect(formatBytes(bytes, 'en')).toBe(text);
});

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_500, '1.5 sec'],
  [90_000, '1.5 min'],
])('%i milliseconds are formatted as %s', (milliseconds, text) => {
  expect(formatDuration(milliseconds, 'en')).toBe(text);
});
