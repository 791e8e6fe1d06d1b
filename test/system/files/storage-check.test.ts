import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { removeLeftovers, STORED_SIZES } from '#features/photos/server/photo-files.ts';
import { makeRenditions } from '#features/photos/server/renditions.ts';
import { movePhotos, type StorageFinding, scrub } from '#features/photos/server/storage-check.ts';
import { openPhotoFolder } from '#server/storage/open-file-storage.ts';
import { openS3Storage } from '#server/storage/s3-files.ts';
import { anActivity, aPerson, aSchool } from '../../builders.ts';
import { atEnd, startApp, type TestApp } from '../../harness.ts';
import { phonePhoto } from '../../images/draw-image.ts';
import { startObjectStore } from '../../object-store.ts';
import { openLink, upload } from '../../upload.ts';

/** Those of two photos. */
const FILES = 2 * STORED_SIZES.length;

let objects: Awaited<ReturnType<typeof startObjectStore>>;
beforeAll(async () => {
  objects = await startObjectStore();
});

const LATER = Date.now() + 3_600_000;

async function aDistrictWithPhotos(settings: Record<string, string> = {}) {
  const app = await startApp(settings);
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const volunteer = await aPerson(app, { schools: [school] });
  const files = await Promise.all(
    [60, 70].map(async (width) => ({ name: 'fair.jpg', content: await phonePhoto(width, 50) })),
  );
  const { body } = await upload(app, { by: volunteer, to: activity, files });
  await makeRenditions(app.deps);
  return { app, activity, volunteer, photos: body.photos };
}

const onDisk = (app: TestApp) =>
  readdirSync(join(app.dataDir, 'photos'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

async function findings(app: TestApp): Promise<StorageFinding[]> {
  const found: StorageFinding[] = [];
  for await (const finding of scrub(app.deps.database.db, app.deps.files, LATER)) found.push(finding);
  return found;
}

test('the storage check finds missing, damaged and unreferenced files', async () => {
  const { app } = await aDistrictWithPhotos();
  expect(await findings(app)).toEqual([]);
  const [first = '', second = ''] = onDisk(app);
  rmSync(first);
  const content = readFileSync(second);
  content[content.length - 3] = (content[content.length - 3] ?? 0) ^ 1;
  writeFileSync(second, content);
  const stray = `${'ab'.repeat(16)}-view.jpg`;
  const source = join(app.dataDir, 'stray');
  writeFileSync(source, 'nobody');
  await app.deps.files.put(stray, source);
  const found = await findings(app);
  expect(found.map(({ kind, name }) => [kind, name]).sort()).toEqual(
    [
      ['missing', first.split('/').at(-1)],
      ['damaged', second.split('/').at(-1)],
      ['stray', stray],
    ].sort(),
  );
  const young: StorageFinding[] = [];
  for await (const finding of scrub(app.deps.database.db, app.deps.files, 0)) young.push(finding);
  expect(young.map(({ kind }) => kind).sort()).toEqual(['damaged', 'missing']);
});

test('photos can be moved to a bucket and back, and a repeated move copies nothing again', async () => {
  const { app, photos } = await aDistrictWithPhotos();
  const { db } = app.deps.database;
  const [disk, bucket] = [openPhotoFolder(app.deps.config), openS3Storage(await objects.bucket('moved'))];
  atEnd(() => bucket.close());
  const options = { workFolder: app.dataDir, remove: false };
  expect(await movePhotos(db, disk, bucket, options)).toEqual({ copied: FILES, present: 0, findings: [] });
  expect(await movePhotos(db, disk, bucket, { ...options, remove: true })).toEqual({
    copied: 0,
    present: FILES,
    findings: [],
  });
  expect(onDisk(app)).toEqual([]);
  expect((await openLink(app, photos[0].signedUrl)).status).toBe(404);
  expect((await movePhotos(db, bucket, disk, options)).copied).toBe(FILES);
  expect((await openLink(app, photos[0].signedUrl)).status).toBe(200);
  expect(await findings(app)).toEqual([]);
});

test('a repeated move continues an interrupted one, skips a damaged file, and then removes nothing', async () => {
  const { app } = await aDistrictWithPhotos();
  const { db } = app.deps.database;
  const [disk, bucket] = [openPhotoFolder(app.deps.config), openS3Storage(await objects.bucket('halfway'))];
  atEnd(() => bucket.close());
  let puts = 0;
  const failing = {
    ...bucket,
    put: (name: string, path: string) =>
      ++puts > 3 ? Promise.reject(new Error('cut')) : bucket.put(name, path),
  };
  await expect(movePhotos(db, disk, failing, { workFolder: app.dataDir, remove: true })).rejects.toThrow(
    'cut',
  );
  expect(onDisk(app)).toHaveLength(FILES);
  const there: string[] = [];
  for await (const { name } of bucket.list()) there.push(name);
  expect(there).toHaveLength(3);
  const left = onDisk(app).find((path) => !there.some((name) => path.endsWith(name))) ?? '';
  writeFileSync(left, 'damaged');
  const moved = await movePhotos(db, disk, bucket, { workFolder: app.dataDir, remove: true });
  expect(moved.copied + moved.present).toBe(FILES - 1);
  expect(moved.findings.map(({ kind }) => kind)).toEqual(['damaged']);
  expect(onDisk(app)).toHaveLength(FILES);
});

test('a bucket stores, shows, deletes and cleans up photos as a disk does', async () => {
  const address = await objects.bucket('district');
  const { app, photos } = await aDistrictWithPhotos({ PHOTO_STORE_URL: address });
  expect((await app.call('GET /readyz')).status).toBe(200);
  for (const link of [photos[0].signedUrl, photos[0].thumbnailSignedUrl]) {
    const { status, headers } = await openLink(app, link);
    expect([status, headers['cache-control']]).toEqual([200, 'private, max-age=300']);
  }
  expect(await findings(app)).toEqual([]);
  await app.deps.database.db.deleteFrom('photos').where('id', '=', photos[0].id).execute();
  await removeLeftovers(app.deps);
  const left: string[] = [];
  for await (const { name } of app.deps.files.list()) left.push(name);
  expect(left).toHaveLength(STORED_SIZES.length);
});

test('an upload to an unreachable bucket is rejected and leaves nothing', async () => {
  const app = await startApp({ PHOTO_STORE_URL: 's3://a:b@photos?endpoint=http%3A%2F%2F127.0.0.1%3A9' });
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const volunteer = await aPerson(app, { schools: [school] });
  const files = [{ name: 'fair.jpg', content: await phonePhoto(60, 50) }];
  const reply = await upload(app, { by: volunteer, to: activity, files });
  expect([reply.status, reply.body.error]).toEqual([
    503,
    'Service temporarily unavailable. Please try again.',
  ]);
  expect(reply.headers['retry-after']).toBe('5');
  expect((await app.call('GET /readyz')).status).toBe(503);
  const list = await app.call(`GET /api/schools/${school.id}/photos`, { token: volunteer.token });
  expect(list.body.pagination.total).toBe(0);
});
