import { expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import { folderName } from './contract.ts';

test('an activity folder is named after the activity and its day', () => {
  expect(folderName('Field Day', day('2026-05-29'))).toBe('Field Day 2026-05-29');
});
