import { expect, test } from 'vitest';
import { dayIn, type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { todayIn } from './today.ts';

const STARTS = ['1971-06-01T00:00:00.000Z', '2026-03-08T00:00:00.000Z', '2026-10-03T12:00:00.000Z'];
const HALVES = 26 * 120;

test.each(['America/Chicago', 'Asia/Kathmandu', 'Pacific/Chatham', 'Australia/Lord_Howe', 'Africa/Monrovia'])(
  'the date in %s is correct at every half minute',
  (zone) => {
    const wrong: Instant[] = [];
    for (const start of STARTS) {
      for (let half = 0; half < HALVES; half++) {
        const moment = plusMilliseconds(start as Instant, half * 30_000);
        if (todayIn(zone, moment) !== dayIn(zone, moment)) wrong.push(moment);
      }
    }
    expect(wrong).toEqual([]);
  },
);
