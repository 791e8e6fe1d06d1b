import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { day } from '#shared/calendar-date.ts';
import type { Activity } from '../contract.ts';
import { ActivityFacts, ActivityTags } from './activity-tags.tsx';

afterEach(cleanup);

const TODAY = day('2026-03-04');

function textOf(isActive: boolean) {
  const activity = {
    isActive,
    activeFrom: TODAY,
    activeUntil: null,
    category: { kind: 'event' },
  } as Activity;
  const days = { today: TODAY, utcDay: TODAY };
  const { container } = render(
    <p>
      <ActivityFacts activity={activity} days={days} /> <ActivityTags activity={activity} days={days} />
    </p>,
  );
  return container.textContent;
}

test('a screen reader does not read an inactive event of today as closed today', () => {
  expect(textOf(false)).toMatch(/^Unavailable · Closed · Event: ?Today$/);
});

test('the day of an available event needs no explanation', () => {
  expect(textOf(true)).toBe('Mar 4 Today');
});
