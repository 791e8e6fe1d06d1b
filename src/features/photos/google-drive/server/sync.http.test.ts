import { describe, expect, test } from 'vitest';
import { runDueJobs } from '#server/jobs/daily-jobs.ts';
import { day, millisecondsOf } from '#shared/calendar-date.ts';
import { anActivity, anAdministrator, aSchool, PASSWORD } from '#test/builders.ts';
import { fullTest } from '#test/full-test.ts';
import type { Google } from '#test/google/fake-google.ts';
import {
  aStoredPhoto,
  besideGoogle,
  connect,
  connectedToGoogle,
  statusOf,
  storedPhotos,
  sync,
  workOn,
} from '#test/google-drive.ts';
import { runningClock, type TestApp } from '#test/harness.ts';
import { fileNames } from '../../server/photo-files.ts';
import { listActivitiesToCopy } from './file-store.ts';
import { nightlyDriveSync } from './nightly-sync.ts';

const FOLDER = "Field Day '26 2026-05-29";
const SETTINGS = 'PUT /api/admin/google-drive/settings';
const CURRENT = 'GET /api/admin/google-drive/sync';

async function aFieldDay(photos = 3) {
  const made = await connectedToGoogle();
  return { ...made, ...(await withFieldDay(made, photos)) };
}

async function withFieldDay({ app, admin }: { app: TestApp; admin: { id: number } }, photos: number) {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school, name: "Field Day '26", activeFrom: day('2026-05-29') });
  return { activity, photos: await storedPhotos(app, photos, { by: admin, activity }) };
}

const idsOf = (photos: readonly { id: number }[]) => photos.map(({ id }) => String(id));

const fileOf = (google: Google, photo: { id: number }) =>
  [...google.state.files.values()].find((file) => file.appProperties['photo'] === String(photo.id));

const folderNamed = (google: Google, name: string) =>
  [...google.state.files.values()].find((file) => file.name === name);

describe('photo sync', () => {
  test('copies the photos of an activity into a folder with its name and day', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay();
    const { status, body } = await sync(app, admin, [activity]);
    const folder = { name: FOLDER, url: expect.stringContaining('/view/') };
    expect([status, body]).toEqual([
      200,
      {
        success: true,
        results: [
          {
            activityId: activity.id,
            success: true,
            error: null,
            successful: 3,
            skipped: 0,
            failed: 0,
            folder,
          },
        ],
      },
    ]);
    expect(google.tree()).toEqual([{ folder: FOLDER, files: idsOf(photos) }]);
    expect((await statusOf(app, admin)).folder).toMatchObject({
      name: 'Volunteer photos of Maple Grove Schools',
    });
    expect((await app.call(CURRENT, { token: admin.token })).body.sync).toMatchObject({
      kind: 'manual',
      state: 'done',
      startedBy: { id: admin.id },
      photos: { total: 3, successful: 3, skipped: 0, failed: 0 },
      activities: [{ activityId: activity.id, name: "Field Day '26", state: 'done', folder }],
      failures: [],
    });
    const record = app.deps.database.db
      .selectFrom('audit_events')
      .select('after')
      .where('action', '=', 'drive.sync');
    expect(await record.execute()).toEqual([{ after: JSON.stringify({ activityIds: [activity.id] }) }]);
  });

  test('names the folder of an undated activity after the local day of its creation', async () => {
    const { app, google, admin } = await connectedToGoogle();
    app.clock.set('2026-03-04T03:00:00.000Z');
    const activity = await anActivity(app, { school: await aSchool(app), name: 'Library' });
    await aStoredPhoto(app, { by: admin, activity });
    await sync(app, admin, [activity]);
    // In Chicago it was still March 3.
    expect(google.tree()).toMatchObject([{ folder: 'Library 2026-03-03' }]);
  });

  test('skips photos that are already in Drive', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay();
    await sync(app, admin, [activity]);
    const added = await aStoredPhoto(app, { by: admin, activity });
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([{ success: true, successful: 1, skipped: 3, failed: 0 }]);
    expect(google.tree()).toMatchObject([{ files: idsOf([...photos, added]) }]);
  });

  test('sends a large photo in chunks', async () => {
    const { app, google, admin, activity } = await aFieldDay(0);
    const photo = await aStoredPhoto(app, { by: admin, activity, bytes: 6_000_001 });
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([{ success: true, successful: 1 }]);
    expect(fileOf(google, photo)).toMatchObject({
      name: 'IMG_0001.jpg',
      mimeType: 'image/jpeg',
      size: 6_000_001,
      sha256: photo.sha256,
    });
    expect(google.requests.filter(({ step }) => step === 'sendChunk')).toHaveLength(6);
  });

  test('skips photos that are deleted, hidden or waiting for review', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(2);
    await aStoredPhoto(app, { by: admin, activity, review: 'waiting' });
    await aStoredPhoto(app, { by: admin, activity, review: 'reported' });
    const [, deleted] = photos;
    await app.call(`DELETE /api/photos/${deleted?.id}`, { token: admin.token });
    await sync(app, admin, [activity]);
    expect(google.tree()).toMatchObject([{ files: [String(photos[0]?.id)] }]);
  });

  test('reports an activity without photos and creates no folder', async () => {
    const { app, google, admin, activity } = await aFieldDay(0);
    const { body } = await sync(app, admin, [activity]);
    expect(body).toMatchObject({
      success: true,
      results: [
        { success: true, error: "No photos found to sync for Field Day '26", successful: 0, folder: null },
      ],
    });
    expect(google.state.files.size).toBe(0);
  });

  test('returns one result for each activity, in the order of the request', async () => {
    const { app, admin, activity } = await aFieldDay(1);
    const other = await anActivity(app, { school: await aSchool(app) });
    const { body } = await sync(app, admin, [other, activity, other]);
    expect(body.results.map((result: { activityId: number }) => result.activityId)).toEqual([
      other.id,
      activity.id,
    ]);
  });

  test('is rejected entirely if one activity is unknown', async () => {
    const { app, admin, activity } = await aFieldDay(1);
    const { status, body } = await sync(app, admin, [activity, { id: 999_999 }]);
    expect([status, body.error]).toEqual([404, 'Selected activity not found']);
    expect((await app.call(CURRENT, { token: admin.token })).body.sync).toBeNull();
  });

  test('runs once for a repeated Idempotency-Key', async () => {
    const { app, admin, activity } = await aFieldDay(1);
    const send = () =>
      app.call('POST /api/admin/google-drive/sync-activities', {
        token: admin.token,
        body: { activityIds: [activity.id] },
        headers: { 'idempotency-key': 'one-click' },
      });
    const replies = [await send(), await send()];
    expect(replies[0]?.body).toEqual(replies[1]?.body);
    expect(replies[1]?.body.results).toMatchObject([{ successful: 1, skipped: 0 }]);
  });

  fullTest('uploads three photos at a time', async () => {
    const made = await besideGoogle({}, { clock: runningClock(), slownessMs: 500 });
    await connect(made);
    workOn(made.app);
    const { activity } = await withFieldDay(made, 5);
    await sync(made.app, made.admin, [activity]);
    expect(made.google.mostUploads()).toBe(3);
  });

  test('finishes running uploads when canceled, and resumes on the next request', async () => {
    const made = await besideGoogle({}, { clock: runningClock(), slownessMs: 50 });
    const { app, google, admin } = made;
    await connect(made);
    workOn(app);
    const { activity, photos } = await withFieldDay(made, 12);
    const waiting = sync(app, admin, [activity]);
    await expect.poll(() => google.tree()[0]?.files.length ?? 0, { interval: 10 }).toBeGreaterThan(1);
    const { id } = (await app.call(CURRENT, { token: admin.token })).body.sync;
    const cancel = `POST /api/admin/google-drive/syncs/${id}/cancel`;
    expect((await app.call(cancel, { token: admin.token })).body.message).toBe('Sync canceled');
    const { body } = await waiting;
    expect(body).toMatchObject({
      success: false,
      results: [{ success: false, error: 'The sync was canceled', failed: 0 }],
    });
    expect(google.tree()[0]?.files.length).toBe(body.results[0].successful);
    expect(body.results[0].successful).toBeLessThan(12);
    await sync(app, admin, [activity]);
    expect(google.tree()).toMatchObject([{ files: idsOf(photos) }]);
  });
});

describe('photo sync after a change outside the app', () => {
  test('recognizes renamed and moved folders and files by id', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(2);
    await sync(app, admin, [activity]);
    const folder = folderNamed(google, FOLDER);
    const moved = fileOf(google, photos[0] ?? { id: 0 });
    if (folder !== undefined) folder.name = 'Our field day';
    if (moved !== undefined) Object.assign(moved, { name: 'best.jpg', parents: ['root'] });
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([{ successful: 0, skipped: 2, folder: { name: 'Our field day' } }]);
    expect(google.tree()).toMatchObject([{ folder: 'Our field day', files: [String(photos[1]?.id)] }]);
  });

  test.each([
    'a photo that was deleted',
    'a photo that was put into the trash',
    'a folder that was deleted',
    'a folder that was put into the trash',
    'everything that was deleted',
  ])('restores %s', async (what) => {
    const { app, google, admin, activity, photos } = await aFieldDay(2);
    await sync(app, admin, [activity]);
    const name = what.startsWith('everything') ? 'Volunteer photos of Maple Grove Schools' : FOLDER;
    const thing = what.startsWith('a photo')
      ? fileOf(google, photos[0] ?? { id: 0 })
      : folderNamed(google, name);
    if (thing === undefined) throw new Error('nothing to remove');
    if (what.includes('trash')) thing.trashed = true;
    else google.removeByHand(thing.id);
    const { body } = await sync(app, admin, [activity]);
    expect(body.success).toBe(true);
    expect(google.tree()).toEqual([{ folder: FOLDER, files: idsOf(photos) }]);
  });

  test('copies nothing twice if the database was restored to before the first sync', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(3);
    await sync(app, admin, [activity]);
    const { db } = app.deps.database;
    for (const table of ['drive_files', 'drive_folders', 'drive_root'] as const) {
      await db.deleteFrom(table).execute();
    }
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([{ successful: 0, skipped: 3 }]);
    expect(google.tree()).toEqual([{ folder: FOLDER, files: idsOf(photos) }]);
  });

  test('copies everything to another account, and nothing again to the first one', async () => {
    const made = await aFieldDay(2);
    const { app, google, admin, activity } = made;
    await sync(app, admin, [activity]);
    const first = google.state.account;
    google.state.account = 'archive@maplegrove.example';
    await connect(made);
    expect((await sync(app, admin, [activity])).body.results).toMatchObject([{ successful: 2 }]);
    google.state.account = first;
    await connect(made);
    expect((await sync(app, admin, [activity])).body.results).toMatchObject([{ successful: 0, skipped: 2 }]);
  });
});

describe('removing a hidden or deleted photo from Drive', () => {
  test.each([
    ['hidden', (id: number) => `POST /api/photos/${id}/takedown`],
    ['deleted', (id: number) => `DELETE /api/photos/${id}`],
  ])('happens without another sync once the photo is %s', async (_, callOf) => {
    const { app, google, admin, activity, photos } = await aFieldDay(2);
    await sync(app, admin, [activity]);
    const [kept, hidden] = photos;
    const { status } = await app.call(callOf(hidden?.id ?? 0), { token: admin.token, body: {} });
    expect(status).toBe(200);
    await expect.poll(() => google.tree()).toEqual([{ folder: FOLDER, files: [String(kept?.id)] }]);
    expect(fileOf(google, { id: hidden?.id ?? 0 })).toBeUndefined();
  });

  test('happens while other photos are still being copied', async () => {
    const made = await besideGoogle({}, { clock: runningClock(), slownessMs: 60 });
    const { app, google, admin } = made;
    await connect(made);
    workOn(app);
    const { activity, photos } = await withFieldDay(made, 20);
    const [first] = photos;
    const waiting = sync(app, admin, [activity]);
    await expect.poll(() => google.tree()[0]?.files ?? [], { interval: 10 }).toContain(String(first?.id));
    await app.call(`POST /api/photos/${first?.id}/takedown`, { token: admin.token, body: {} });
    await expect.poll(() => google.tree()[0]?.files ?? [], { interval: 10 }).not.toContain(String(first?.id));
    expect(google.tree()[0]?.files.length).toBeLessThan(19);
    await waiting;
    expect(google.tree()).toMatchObject([{ files: idsOf(photos.slice(1)) }]);
  });

  test('also finds a Drive file that the database has no record of', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(2);
    await sync(app, admin, [activity]);
    await app.deps.database.db.deleteFrom('drive_files').execute();
    await app.call(`POST /api/photos/${photos[0]?.id}/takedown`, { token: admin.token, body: {} });
    await sync(app, admin, [activity]);
    expect(google.tree()).toMatchObject([{ files: [String(photos[1]?.id)] }]);
  });

  test('is reversed by the next sync after the photo is restored', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(1);
    await sync(app, admin, [activity]);
    const id = photos[0]?.id;
    await app.call(`DELETE /api/photos/${id}`, { token: admin.token });
    await expect.poll(() => google.tree()).toEqual([]);
    await app.call(`POST /api/photos/${id}/restore`, { token: admin.token });
    expect((await sync(app, admin, [activity])).body.results).toMatchObject([{ successful: 1 }]);
    expect(google.tree()).toMatchObject([{ files: [String(id)] }]);
  });

  test('moves the file to the trash if the account may not delete it', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(1);
    await sync(app, admin, [activity]);
    google.faults.plan('remove', 'refused');
    await app.call(`DELETE /api/photos/${photos[0]?.id}`, { token: admin.token });
    await expect.poll(() => google.tree()).toEqual([]);
    expect(fileOf(google, photos[0] ?? { id: 0 })?.trashed).toBe(true);
  });
});

describe('a photo sync with errors', () => {
  test('stops when Drive is full, and the next sync copies the rest', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(6);
    google.faults.plan('uploadWhole', 'full', { after: 2, times: 4 });
    const { body } = await sync(app, admin, [activity]);
    const [result] = body.results;
    const said = 'The connected Google Drive is full. Make room there, then sync again.';
    expect([body.success, result.success, result.error]).toEqual([false, false, said]);
    expect(result.successful + result.failed).toBe(6);
    const { sync: shown } = (await app.call(CURRENT, { token: admin.token })).body;
    expect([shown.state, shown.failures.length, shown.failures[0].error]).toEqual([
      'failed',
      result.failed,
      said,
    ]);
    google.faults.clear();
    expect((await sync(app, admin, [activity])).body.success).toBe(true);
    expect(google.tree()).toMatchObject([{ files: idsOf(photos) }]);
  });

  test('copies all photos except those whose file is missing or damaged', async () => {
    const { app, google, admin, activity, photos } = await aFieldDay(2);
    const missing = await aStoredPhoto(app, { by: admin, activity });
    const damaged = await aStoredPhoto(app, { by: admin, activity });
    for (const name of fileNames(missing.storageKey)) await app.deps.files.remove(name);
    await app.deps.database.db
      .updateTable('photos')
      .set({ sha256: '0'.repeat(64) })
      .where('id', '=', damaged.id)
      .execute();
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([
      {
        success: false,
        successful: 2,
        failed: 2,
        error: "2 photos couldn't be copied. Sync again to retry.",
      },
    ]);
    expect(google.tree()).toMatchObject([{ files: idsOf(photos) }]);
  });

  test('retries with growing pauses while Google is busy, and gives up after seven attempts', async () => {
    const { app, google, admin, activity } = await aFieldDay(1);
    google.faults.plan('uploadWhole', 'rate', { times: 3 });
    const began = millisecondsOf(app.clock.now());
    await sync(app, admin, [activity]);
    const waited = millisecondsOf(app.clock.now()) - began;
    expect(waited).toBeGreaterThanOrEqual(3_500);
    expect(waited).toBeLessThanOrEqual(7_000);

    await aStoredPhoto(app, { by: admin, activity });
    google.faults.plan('uploadWhole', 'broken', { times: 99 });
    const { body } = await sync(app, admin, [activity]);
    expect(body.results).toMatchObject([
      { error: "Google can't be reached right now. Please try again later." },
    ]);
    expect(google.requests.filter(({ status }) => status === 500)).toHaveLength(7);
  });
});

describe('photo sync settings', () => {
  test('reject a folder that the app cannot access', async () => {
    const { app, google, admin } = await connectedToGoogle();
    const strange = google.makeByHand('Board photos');
    for (const folder of [`https://drive.google.com/drive/folders/${strange}?usp=sharing`, strange]) {
      const { status, body } = await app.call(SETTINGS, { token: admin.token, body: { folder } });
      expect([status, body.fields.folder]).toEqual([400, body.error]);
      expect(body.error).toContain('Only folders created by this site can be used');
    }
    const none = await app.call(SETTINGS, { token: admin.token, body: { folder: 'https://example.org' } });
    expect([none.status, none.body.error]).toEqual([
      400,
      'Please paste the link to a folder in Google Drive',
    ]);
  });

  test('apply a chosen parent folder to new activity folders', async () => {
    const { app, google, admin, activity } = await aFieldDay(1);
    await sync(app, admin, [activity]);
    const chosen = folderNamed(google, FOLDER);
    const link = `https://drive.google.com/drive/u/0/folders/${chosen?.id}`;
    const { body } = await app.call(SETTINGS, { token: admin.token, body: { folder: link } });
    expect(body).toMatchObject({
      message: 'Photo sync settings saved',
      status: { folder: { name: FOLDER } },
    });
    const other = await anActivity(app, { school: await aSchool(app), name: 'Chess' });
    await aStoredPhoto(app, { by: admin, activity: other });
    await sync(app, admin, [other]);
    expect(folderNamed(google, 'Chess 2026-03-04')?.parents).toEqual([chosen?.id]);
    const back = await app.call(SETTINGS, { token: admin.token, body: { folder: null } });
    expect(back.body.status.folder).toBeNull();
  });

  test('disable the nightly sync once the administrator who connected Drive loses the role', async () => {
    const { app, admin } = await aFieldDay(1);
    await app.call(SETTINGS, { token: admin.token, body: { nightly: true } });
    const next = await anAdministrator(app);
    await app.deps.database.db
      .updateTable('users')
      .set({ role: 'user' })
      .where('id', '=', admin.id)
      .execute();
    app.clock.set('2026-03-06T09:00:00.000Z');
    await runDueJobs(app.deps, [nightlyDriveSync]);
    expect(await app.deps.database.db.selectFrom('drive_syncs').select('id').execute()).toEqual([]);
    const body = { email: next.email, password: PASSWORD };
    const { token } = (await app.call('POST /api/auth/login', { body })).body;
    expect(await statusOf(app, { token })).toMatchObject({ connected: false, lost: true });
  });

  test('can turn on a nightly sync of activities with new photos', async () => {
    const { app, google, admin, photos } = await aFieldDay(2);
    const night = async (date: string) => {
      app.clock.set(`${date}T09:00:00.000Z`);
      await runDueJobs(app.deps, [nightlyDriveSync]);
      const syncs = app.deps.database.db.selectFrom('drive_syncs').select(['kind', 'requested_by']);
      return syncs.execute();
    };
    expect(await night('2026-03-05')).toEqual([]);
    const body = { email: admin.email, password: PASSWORD };
    const { token } = (await app.call('POST /api/auth/login', { body })).body;
    await app.call(SETTINGS, { token, body: { nightly: true } });
    const synced = [{ kind: 'nightly', requested_by: null }];
    expect(await night('2026-03-06')).toEqual(synced);
    await expect.poll(() => google.tree()).toEqual([{ folder: FOLDER, files: idsOf(photos) }]);
    // Google has the last file a moment before the database does.
    await expect.poll(() => listActivitiesToCopy(app.deps.database.db)).toEqual([]);
    expect(await night('2026-03-07')).toEqual(synced);
  });
});
