import { expect, test } from 'vitest';
import { migratedPlace } from '../harness.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { startChild } from '../server-process.ts';

test('the 1.5 hours that a new volunteer logs are still there after a restart', async () => {
  const place = await migratedPlace();
  const first = await startChild(place, ADMIN_SETTINGS);
  const { volunteer, admin, school, activity } = await openDistrict(first);

  const logged = await first.call('POST /api/time-entries', {
    token: volunteer,
    body: { activityId: activity.id, hours: 1.5, notes: 'Sorted the picture books' },
  });
  expect(logged.status).toBe(201);
  expect(logged.body.message).toBe('1.5h logged for Book fair today!');
  const { timeEntry } = logged.body;
  expect(timeEntry).toMatchObject({
    hours: 1.5,
    notes: 'Sorted the picture books',
    schoolId: school.id,
    user: { firstName: 'Vera', lastName: 'Volt' },
  });
  const listed = await first.call('GET /api/time-entries', { token: volunteer });
  expect(listed.body).toEqual({ timeEntries: [timeEntry], nextCursor: null });
  expect(await first.end('SIGTERM')).toEqual({ code: 0, signal: null });

  // The settings of the first administrator may be omitted now.
  const second = await startChild(place);
  const again = await second.call(`GET /api/time-entries?schoolId=${school.id}`, { token: volunteer });
  expect([again.status, again.body]).toEqual([200, { timeEntries: [timeEntry], nextCursor: null }]);
  const top = await second.call('GET /api/time-entries/most-active', { token: admin });
  expect([top.status, top.body.totalHours]).toEqual([200, 1.5]);
  expect(second.stdout()).not.toContain('token=');
  expect(await second.end('SIGINT')).toEqual({ code: 0, signal: null });
});
