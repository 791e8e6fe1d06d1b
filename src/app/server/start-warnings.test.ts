import { expect, test } from 'vitest';
import { readConfig } from '#server/config.ts';
import type { Instant } from '#shared/calendar-date.ts';
import { startWarnings, timeZoneWarning } from './start-warnings.ts';

const NOW = '2026-03-04T18:00:00.000Z' as Instant;

const subjects = (settings: Record<string, string>, userId: number | undefined = 1000) =>
  startWarnings(readConfig(settings), userId).map((line) => line.split(':')[0]);

test.each([
  [{}, 1000, []],
  [{}, 0, ['Running as root']],
  [{ HOST: '0.0.0.0' }, 1000, ['HOST']],
  [{ HOST: '::', PUBLIC_URL: 'http://hours.example.org' }, 1000, ['HOST']],
  [{ HOST: '127.0.0.2' }, 1000, []],
  [{ HOST: '::1' }, 1000, []],
  [{ HOST: '127.example.org' }, 1000, ['HOST']],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://hours.example.org', TRUSTED_PROXIES: '10.0.0.2' }, 1000, []],
  [{ PUBLIC_URL: 'https://hours.example.org' }, 1000, ['TRUSTED_PROXIES']],
  [{ PUBLIC_URL: 'https://hours.example.org', TRUSTED_PROXIES: 'loopback' }, undefined, []],
])('starting with settings %o as user %s warns about %o', (settings, userId, expected) => {
  expect(subjects(settings as Record<string, string>, userId)).toEqual(expected);
});

test('the warning about a missing time zone names the zone in use and its current time', () => {
  expect(timeZoneWarning('UTC', NOW)).toContain(
    'not set, so days are counted in UTC, where it is 2026-03-04 18:00',
  );
});
