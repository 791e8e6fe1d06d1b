import { expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { folderName } from './contract.ts';

test('the name of an activity folder has the name and day of the activity', () => {
  expect(folderName('Field Day', day('2026-05-29'))).toBe('Field Day 2026-05-29');
});
