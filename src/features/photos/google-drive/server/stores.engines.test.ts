import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { anActivity, aPerson, aPhoto, aSchool } from '#test/builders.ts';
import { NOW, startApp, type TestApp } from '#test/harness.ts';
import {
  findDriveFile,
  findRootFolder,
  listActivitiesWithUnwantedFiles,
  listUnwantedFiles,
  releaseLease,
  renewLease,
  reserveDriveFile,
  saveRootFolder,
  takeLease,
} from './file-store.ts';
import {
  listPhotosToCopy,
  listQueuedActivities,
  markPhotoStored,
  saveActivityOutcome,
  savePhotoOutcome,
  startActivity,
} from './sync-queue-store.ts';
import {
  cancelSync,
  findActivitiesToSync,
  findCurrentSync,
  insertSync,
  isSyncFinished,
  listSyncActivities,
  listSyncFailures,
} from './sync-store.ts';

const minutesAfterNow = (minutes: number): Instant => instantOf(millisecondsOf(NOW) + minutes * 60_000);

let app: TestApp;
let activity: Awaited<ReturnType<typeof anActivity>>;
let volunteer: Awaited<ReturnType<typeof aPerson>>;

beforeAll(async () => {
  app = await startApp();
  const school = await aSchool(app);
  activity = await anActivity(app, { school });
  volunteer = await aPerson(app, { schools: [school] });
});

const db = () => app.deps.database.db;
const inTransaction = <Result>(work: Parameters<typeof transaction<Result>>[1]) =>
  transaction(app.deps.database, work);

describe('activity lease', () => {
  test('belongs to one process until it is released or expires', async () => {
    const take = (lease: string, now: Instant) =>
      takeLease(db(), activity.id, { lease, now, until: instantOf(millisecondsOf(now) + 60_000) });
    expect(await take('first', NOW)).toBe(true);
    expect(await take('second', NOW)).toBe(false);
    expect(await renewLease(db(), activity.id, 'second', minutesAfterNow(9))).toBe(false);
    expect(await take('third', minutesAfterNow(2))).toBe(true);
    expect(await renewLease(db(), activity.id, 'third', minutesAfterNow(9))).toBe(true);
    await releaseLease(db(), activity.id, 'third');
    expect(await take('fourth', minutesAfterNow(3))).toBe(true);
  });
});

describe('parent folder', () => {
  test('is replaced only by a process that knows the ID of the stored one', async () => {
    const folder = { name: 'Photos', url: 'https://drive.example/a', isReady: true, isChosen: false };
    await saveRootFolder(db(), { ...folder, id: 'folder-of-a' }, undefined);
    await saveRootFolder(db(), { ...folder, id: 'folder-of-b' }, undefined);
    await saveRootFolder(db(), { ...folder, id: 'folder-of-c' }, 'folder-of-b');
    expect(await findRootFolder(db())).toEqual({ ...folder, id: 'folder-of-a' });
    await saveRootFolder(db(), { ...folder, id: 'folder-of-d' }, 'folder-of-a');
    expect((await findRootFolder(db()))?.id).toBe('folder-of-d');
  });
});

describe('file in Drive', () => {
  test('can be reserved only while its photo is visible, and is listed for removal afterwards', async () => {
    const photo = await aPhoto(app, { by: volunteer, activity });
    const plan = (fileId: string, isStored: boolean) =>
      inTransaction((trx) =>
        reserveDriveFile(trx, { photoId: photo.id, activityId: activity.id, fileId, isStored }),
      );
    expect([await plan('file-planned', false), await plan('file-stored', true)]).toEqual([true, true]);
    expect(await findDriveFile(db(), photo.id)).toMatchObject({ fileId: 'file-stored', isStored: true });
    expect(await listActivitiesWithUnwantedFiles(db(), 10)).toEqual([]);
    await db()
      .updateTable('photos')
      .set({ deleted_at: NOW, deleted_by: volunteer.id })
      .where('id', '=', photo.id)
      .execute();
    expect(await plan('file-again', false)).toBe(false);
    expect(await listActivitiesWithUnwantedFiles(db(), 10)).toEqual([activity.id]);
    expect(await listUnwantedFiles(db(), activity.id)).toEqual([
      { photoId: photo.id, fileId: 'file-stored' },
    ]);
  });
});

describe('sync progress', () => {
  test('counts photos by outcome, and ends when the sync is canceled', async () => {
    const photos = [];
    for (let count = 0; count < 3; count++) photos.push(await aPhoto(app, { by: volunteer, activity }));
    const activities = await findActivitiesToSync(db(), [activity.id]);
    const sync = { kind: 'manual', userId: volunteer.id, at: NOW } as const;
    const id = await inTransaction((trx) => insertSync(trx, { ...sync, activities }));
    const [waiting] = await listQueuedActivities(db(), 5);
    if (waiting === undefined) throw new Error('nothing waits');
    expect(waiting).toMatchObject({ syncId: id, activityId: activity.id });
    expect(await startActivity(db(), waiting)).toBe(true);
    const [first, second, third] = photos;
    expect((await listPhotosToCopy(db(), waiting, first?.id ?? 0, 10)).map((one) => one.id)).toEqual([
      second?.id,
      third?.id,
    ]);
    await inTransaction((trx) => markPhotoStored(trx, waiting, first?.id ?? 0, 'stored'));
    await inTransaction((trx) => markPhotoStored(trx, waiting, second?.id ?? 0, 'skipped'));
    await savePhotoOutcome(db(), waiting, third?.id ?? 0, { state: 'failed', error: null });
    expect(await listSyncActivities(db(), id)).toMatchObject([
      { state: 'running', total: 3, successful: 1, skipped: 1, failed: 1 },
    ]);
    expect(await listSyncFailures(db(), id, 10)).toMatchObject([{ photoId: third?.id }]);
    expect(await findCurrentSync(db())).toMatchObject({ id, finishedAt: null, userId: volunteer.id });
    await saveActivityOutcome(db(), waiting, { state: 'done', error: null });
    expect(await startActivity(db(), waiting)).toBe(false);
    await inTransaction((trx) => cancelSync(trx, id, minutesAfterNow(1)));
    expect(await isSyncFinished(db(), id)).toBe(true);
  });
});
