import type { Instant } from '#shared/calendar-date.ts';

/**
 * A moment as PostgreSQL writes it in the zone UTC: '2026-03-01 17:04:05.12+00' -> '2026-03-01T17:04:05.120Z'. What is
 * finer than milliseconds is cut off.
 */
export function instantFromPostgres(text: string): Instant {
  const [moment = '', fraction = ''] = text.replace('+00', '').split('.');
  return `${moment.replace(' ', 'T')}.${fraction.padEnd(3, '0').slice(0, 3)}Z` as Instant;
}
