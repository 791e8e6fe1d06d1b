import { describe, expect, test } from 'vitest';
import '#app/web/staff-messages.ts';
import { say, t } from '#web/i18n/translate.ts';
import { type ActivitySync, type DriveStatus, LIMITS, type Sync } from '../contract.ts';
import {
  connectionLabel,
  findUnfinishedActivities,
  outcomeLabel,
  statusLabel,
  syncAnnouncement,
} from './admin-sync-labels.ts';

const text = { t, say, language: 'en' };

function anActivity(given: Partial<ActivitySync> = {}): ActivitySync {
  return {
    activityId: 1,
    name: 'Book Fair',
    state: 'done',
    error: null,
    folder: null,
    total: 20,
    successful: 18,
    skipped: 2,
    failed: 0,
    ...given,
  };
}

describe('status of an activity in a sync', () => {
  test.each<[string, Partial<ActivitySync>]>([
    ['18 copied, 2 already there, 0 failed', {}],
    ['Waiting', { state: 'queued', successful: 0, skipped: 0 }],
    ['13 of 20 photos', { state: 'running', successful: 12, skipped: 0, failed: 1 }],
    ['No photos found to sync for Book Fair', { error: 'No photos found to sync for Book Fair' }],
    ['Failed to sync Book Fair: Drive is full', { state: 'failed', error: 'Drive is full' }],
    ['Failed to sync Book Fair: Sync failed', { state: 'failed' }],
    ['The sync was canceled', { state: 'cancelled', error: 'The sync was canceled' }],
  ])('is described as %j', (sentence, given) => {
    expect(statusLabel(anActivity(given), text)).toBe(sentence);
  });

  test('has counts with thousands separators', () => {
    expect(outcomeLabel({ total: 4000, successful: 1204, skipped: 0, failed: 1 }, text)).toBe(
      '1,204 copied, 0 already there, 1 failed',
    );
  });
});

test('findUnfinishedActivities returns the canceled activities of a sync, up to the limit', () => {
  const activities = Array.from({ length: 250 }, (_, at) =>
    anActivity({ activityId: at + 1, state: at % 2 === 0 ? 'cancelled' : 'done' }),
  );
  expect(findUnfinishedActivities({ activities: activities.slice(0, 5) })).toEqual([1, 3, 5]);
  expect(findUnfinishedActivities({ activities })).toHaveLength(LIMITS.activities);
});

describe('progress announcement', () => {
  const aSync = (successful: number, activities: readonly ActivitySync[]) =>
    ({ photos: { total: 20, successful, skipped: 0, failed: 0 }, activities }) as unknown as Sync;
  const running = [anActivity({ state: 'running' })];

  test('changes every 25 percent, not with every photo', () => {
    const said = Array.from({ length: 21 }, (_, done) => syncAnnouncement(aSync(done, running), text));
    expect([...new Set(said)]).toEqual([
      'Book Fair: 0 percent of all photos done',
      'Book Fair: 25 percent of all photos done',
      'Book Fair: 50 percent of all photos done',
      'Book Fair: 75 percent of all photos done',
      'Book Fair: 100 percent of all photos done',
    ]);
  });

  test('says that the sync is waiting before it begins', () => {
    expect(syncAnnouncement(aSync(0, [anActivity({ state: 'queued' })]), text)).toBe('Waiting');
  });
});

test("the connection label shows the date in the district's time zone", () => {
  const status = {
    account: 'photos@maplegrove.example',
    connectedBy: { id: 1, firstName: 'Ada', lastName: 'Park' },
    connectedAt: '2026-03-02T02:30:00.000Z',
  } as unknown as DriveStatus;
  expect(connectionLabel(status, 'America/Chicago', text)).toBe(
    'photos@maplegrove.example · connected by Ada Park on Mar 1, 2026',
  );
});
