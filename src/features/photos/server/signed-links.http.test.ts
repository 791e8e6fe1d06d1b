import { expect, test } from 'vitest';
import { instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { NOW } from '#test/harness.ts';
import { createLinks, secondsLeft } from './signed-links.ts';

const key = Buffer.alloc(32, 7);

test('a signed link works for five minutes, and only for its photo', () => {
  const { signedUrl } = createLinks(key, { id: 5, reviewRound: 0 }, NOW);
  const query = new URL(signedUrl, 'http://here').searchParams;
  const link = {
    id: 5,
    size: 'view',
    expires: query.get('expires') ?? '',
    signature: query.get('signature') ?? '',
  };
  const leftAfter = (milliseconds: number) =>
    secondsLeft(key, link, instantOf(millisecondsOf(NOW) + milliseconds));
  expect([0, 1, 1000, 299_999, 300_000].map(leftAfter)).toEqual([300, 299, 299, 0, undefined]);
  expect(secondsLeft(key, { ...link, id: 6 }, NOW)).toBeUndefined();
});
