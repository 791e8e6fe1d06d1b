import { expect, test } from 'vitest';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { describeError, formatLine } from './log.ts';

test('describeError returns the message of a rejected request, and the stack of a bug', () => {
  expect(describeError(errors.unavailable(commonMessages.diskFull, 5))).toEqual({
    type: 'HttpError',
    message: "The server's disk is full, so nothing was saved. Please contact your administrator.",
  });
  expect(describeError(new Error('a bug'))).toMatchObject({ message: 'a bug', stack: expect.any(String) });
});

test('formatLine writes an event as one plain line with time, level, message and details', () => {
  const event = { level: 40, time: '2026-03-04T18:00:00.000Z', msg: 'slow request' };
  const details = { route: '/api/schools/:id', milliseconds: 7100, paths: ['a', 'b c'] };
  expect(formatLine(JSON.stringify({ ...event, ...details }))).toBe(
    '2026-03-04T18:00:00.000Z warn slow request route=/api/schools/:id milliseconds=7100 paths=["a","b c"]',
  );
});

test('user input cannot inject a line into the log', () => {
  const event = { level: 50, time: '2026-03-04T18:00:00.000Z', msg: 'it failed\r\nforged', name: 'a\nb' };
  const err = describeError(new Error('no\n2026 error forged'));
  const [line, ...frames] = formatLine(JSON.stringify({ ...event, err })).split('\n');
  expect(line).toBe('2026-03-04T18:00:00.000Z error it failed forged: no 2026 error forged name="a\\nb"');
  expect(frames.length).toBeGreaterThan(0);
  expect(frames.filter((frame) => !frame.startsWith('    at '))).toEqual([]);
});
