import { expect, test } from 'vitest';
import { anActivity, aSchool } from '#test/builders.ts';
import { besideGoogle, connect, storedPhotos, sync, workOn } from '#test/google-drive.ts';

const PHOTOS = 60;
// Longer than the fake Google takes for a request, so a working process has sent one meanwhile.
const QUIET = { interval: 1_500, timeout: 25_000 };

test('a sync pauses when another process takes over its activity, and continues later', async () => {
  const made = await besideGoogle({}, { slownessMs: 200 });
  const { app, google, admin } = made;
  const activity = await anActivity(app, { school: await aSchool(app) });
  await storedPhotos(app, PHOTOS, { by: admin, activity });
  await connect(made);
  workOn(app);
  const stored = () => google.tree().flatMap(({ files }) => files);
  const hold = (lease: { lease: string | null; leased_until: typeof FAR | null }) =>
    app.deps.database.db
      .updateTable('drive_folders')
      .set(lease)
      .where('activity_id', '=', activity.id)
      .execute();
  const FAR = app.clock.now().replace('2026', '2027') as ReturnType<typeof app.clock.now>;

  const syncing = sync(app, admin, [activity]);
  await expect.poll(() => stored().length, { timeout: 20_000 }).toBeGreaterThan(1);
  await hold({ lease: 'another process', leased_until: FAR });
  let asked = -1;
  await expect
    .poll(() => {
      const before = asked;
      asked = google.requests.length;
      return asked - before;
    }, QUIET)
    .toBe(0);
  expect(stored().length).toBeLessThan(PHOTOS);
  const { body } = await app.call('GET /api/admin/google-drive/sync', { token: admin.token });
  expect(body.sync.activities).toMatchObject([{ state: 'running', error: null }]);

  await hold({ lease: null, leased_until: null });
  expect((await syncing).body).toMatchObject({ success: true, results: [{ failed: 0 }] });
  expect(new Set(stored()).size).toBe(PHOTOS);
  expect(stored().length).toBe(PHOTOS);
}, 90_000);
