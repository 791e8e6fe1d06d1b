import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { transaction } from '#server/db/database.ts';
import { anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { phonePhoto } from '#test/images/draw-image.ts';
import { startObjectStore } from '#test/object-store.ts';
import { openLink, upload } from '#test/upload.ts';
import { purgeDeletedPhotos } from './actions.ts';
import { findOrphanedAmong, insertOrphanedFiles } from './orphaned-files-store.ts';
import {
  DEFERRED_SIZES,
  fileOfSize,
  newStorageKey,
  removeLeftovers,
  STORED_SIZES,
  UPLOAD_SIZES,
} from './photo-files.ts';
import { makeRenditions } from './renditions.ts';
import { type StorageFinding, scrub } from './storage-check.ts';
import { nextPhotoWithoutRenditions } from './store.ts';

let objects: Awaited<ReturnType<typeof startObjectStore>>;
beforeAll(async () => {
  objects = await startObjectStore();
  // Starts four processes, which is slow on a busy machine.
}, 180_000);

/** Chrome's Accept header for images. */
const CHROME = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';
/** The format as sharp names it. */
const AVIF = { format: 'heif', compression: 'av1' } as const;

let pictures = 0;
const aPicture = async () => ({ name: 'fair.jpg', content: await phonePhoto(40 + ++pictures, 30) });

async function aFair(app: TestApp) {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const volunteer = await aPerson(app, { schools: [school] });
  return { school, activity, volunteer };
}

async function storedIn({ deps }: TestApp): Promise<string[]> {
  const names: string[] = [];
  for await (const { name } of deps.files.list()) names.push(name);
  return names.sort();
}

/** Runs what the daily and the hourly job do. */
async function clean({ deps, clock }: TestApp): Promise<void> {
  await transaction(deps.database, (trx) => purgeDeletedPhotos(trx, clock.now()));
  await removeLeftovers(deps);
}

let buckets = 0;
describe.each([
  ['a folder', async () => startApp()],
  ['a bucket', async () => startApp({ PHOTO_STORE_URL: await objects.bucket(`photos-${++buckets}`) })],
])('with %s as storage', (_store, open) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await open();
  });

  test('an upload is stored as five files without metadata', async () => {
    const { activity, volunteer } = await aFair(app);
    const before = new Set(await storedIn(app));
    const content = await phonePhoto(3000, 2000, 6);
    expect((await sharp(content).metadata()).exif?.includes('Phone of a test')).toBe(true);
    const files = [{ name: 'IMG_3.jpg', content }];
    const { body } = await upload(app, { by: volunteer, to: activity, files });
    const [photo] = body.photos;
    expect(photo).toMatchObject({ width: 2000, height: 3000 });
    await makeRenditions(app.deps);
    const names = (await storedIn(app)).filter((name) => !before.has(name));
    expect(names.map((name) => name.replace(/^[0-9a-f]{32}-/, ''))).toEqual([
      'full.jpg',
      'large.avif',
      'screen.avif',
      'thumbnail.webp',
      'view.jpg',
    ]);
    for (const name of names) {
      const stored = await app.deps.files.read(name);
      if (stored === undefined) throw new Error(`${name} is listed and not there`);
      const content = await buffer(stored.content);
      const { exif, xmp, iptc, icc } = await sharp(content).metadata();
      expect({ exif, xmp, iptc, icc }).toEqual({});
      expect(content.includes('Phone of a test')).toBe(false);
    }
    const view = await openLink(app, photo.signedUrl);
    expect(await sharp(view.content).metadata()).toMatchObject({ format: 'jpeg', width: 1365, height: 2048 });
    const thumbnail = await openLink(app, photo.thumbnailSignedUrl);
    expect(await sharp(thumbnail.content).metadata()).toMatchObject({
      format: 'webp',
      width: 320,
      height: 480,
    });
    const reader = { accept: CHROME };
    const large = await openLink(app, photo.signedUrl, reader);
    expect(await sharp(large.content).metadata()).toMatchObject({ ...AVIF, width: 1365, height: 2048 });
    const screen = await openLink(app, `${photo.signedUrl}&side=1170`, reader);
    expect(await sharp(screen.content).metadata()).toMatchObject({ ...AVIF, width: 880, height: 1320 });
  });

  test('browsers that accept AVIF get the smallest sufficient AVIF, others get JPEG', async () => {
    const { activity, volunteer } = await aFair(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [{ id, signedUrl }] = body.photos;
    await makeRenditions(app.deps);
    const told = async (side: string, headers: Record<string, string> = {}) => {
      const reply = await openLink(app, `${signedUrl}${side}`, headers);
      expect([reply.status, reply.headers['vary']]).toEqual([200, 'accept']);
      return [reply.headers['content-type'], reply.headers['content-disposition']];
    };
    const file = (name: string) => `inline; filename="photo-${id}-${name}"`;
    const [jpeg, large, screen] = [
      ['image/jpeg', file('view.jpg')],
      ['image/avif', file('large.avif')],
      ['image/avif', file('screen.avif')],
    ];
    for (const accept of [CHROME, 'image/webp,image/avif,video/*;q=0.8', 'image/avif;q=0.5']) {
      expect(await told('', { accept })).toEqual(large);
      expect(await told('&side=1321', { accept })).toEqual(large);
      expect(await told('&side=1320', { accept })).toEqual(screen);
      expect(await told('&side=100000', { accept })).toEqual(large);
      expect(await told('&side=wide', { accept })).toEqual(large);
    }
    for (const accept of ['*/*', 'image/webp,image/*', 'image/avif;q=0,image/*', 'image/avif; q=0.0']) {
      expect(await told('', { accept })).toEqual(jpeg);
      expect(await told('&side=1320', { accept })).toEqual(jpeg);
    }
    expect(await told('&side=1320')).toEqual(jpeg);
  });

  test('the JPEG is sent until renditions exist, and the storage check accepts that', async () => {
    const { activity, volunteer } = await aFair(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [{ id, signedUrl, thumbnailSignedUrl }] = body.photos;
    const { db } = app.deps.database;
    for (const side of ['', '&side=1320']) {
      const reply = await openLink(app, `${signedUrl}${side}`, { accept: CHROME });
      expect([reply.status, reply.headers['content-type']]).toEqual([200, 'image/jpeg']);
      expect((await sharp(reply.content).metadata()).format).toBe('jpeg');
    }
    const small = await openLink(app, thumbnailSignedUrl, { accept: CHROME });
    expect([small.status, small.headers['content-type']]).toEqual([200, 'image/webp']);
    const missing: StorageFinding[] = [];
    for await (const finding of scrub(db, app.deps.files, 0)) missing.push(finding);
    expect(missing.filter(({ photoId }) => photoId === id)).toEqual([]);
    await makeRenditions(app.deps);
    const made = await openLink(app, signedUrl, { accept: CHROME });
    expect([made.status, made.headers['content-type']]).toEqual([200, 'image/avif']);
  });

  test('lost renditions are created again, and not reported as missing', async () => {
    const { activity, volunteer } = await aFair(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [{ id }] = body.photos;
    const { db } = app.deps.database;
    await makeRenditions(app.deps);
    const { storage_key: key } = await db
      .selectFrom('photos')
      .select('storage_key')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    for (const { size } of DEFERRED_SIZES) await app.deps.files.remove(fileOfSize(key, size));
    const found: StorageFinding[] = [];
    for await (const finding of scrub(db, app.deps.files, 0)) found.push(finding);
    expect(found.filter(({ photoId }) => photoId === id)).toEqual([]);
    await makeRenditions(app.deps);
    for (const { size } of DEFERRED_SIZES) {
      const again = await app.deps.files.read(fileOfSize(key, size));
      again?.content.destroy();
      expect(again?.bytes).toBeGreaterThan(0);
    }
  });

  test('large screens get JPEG if a grainy photo is larger as AVIF', async () => {
    const { activity, volunteer } = await aFair(app);
    const grain = { type: 'gaussian', mean: 128, sigma: 24 } as const;
    const content = await sharp({
      create: { width: 1600, height: 1200, channels: 3, background: 'grey', noise: grain },
    })
      .jpeg({ quality: 90 })
      .toBuffer();
    const { body } = await upload(app, {
      by: volunteer,
      to: activity,
      files: [{ name: 'gym.jpg', content }],
    });
    const [{ id, signedUrl }] = body.photos;
    const before = await storedIn(app);
    await makeRenditions(app.deps);
    expect((await storedIn(app)).length - before.length).toBe(1);
    const told = async (side: string) =>
      (await openLink(app, `${signedUrl}${side}`, { accept: CHROME })).headers['content-type'];
    expect([await told(''), await told('&side=1320')]).toEqual(['image/jpeg', 'image/avif']);
    const { db } = app.deps.database;
    for await (const finding of scrub(db, app.deps.files, 0)) expect(finding.photoId).not.toBe(id);
    expect(await nextPhotoWithoutRenditions(db, [])).toBeUndefined();
  });

  test('renditions are removed if the photo is purged while they are created', async () => {
    const { activity, volunteer } = await aFair(app);
    await makeRenditions(app.deps);
    const before = await storedIn(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const { db } = app.deps.database;
    const { put } = app.deps.files;
    let isDeleted = false;
    const deleting = async (name: string, path: string) => {
      if (!isDeleted) await db.deleteFrom('photos').where('id', '=', body.photos[0].id).execute();
      isDeleted = true;
      return put(name, path);
    };
    Object.assign(app.deps.files, { put: deleting });
    await makeRenditions(app.deps);
    Object.assign(app.deps.files, { put });
    expect([isDeleted, await storedIn(app)]).toEqual([true, before]);
  });

  test('interrupted renditions leave no files after their photo is deleted', async () => {
    const { activity, volunteer } = await aFair(app);
    await makeRenditions(app.deps);
    const before = await storedIn(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const { put } = app.deps.files;
    let puts = 0;
    Object.assign(app.deps.files, {
      put: (name: string, path: string) => (++puts > 1 ? Promise.reject(new Error('cut')) : put(name, path)),
    });
    await expect(makeRenditions(app.deps)).rejects.toThrow('cut');
    Object.assign(app.deps.files, { put });
    expect(await storedIn(app)).toHaveLength(before.length + UPLOAD_SIZES.length + 1);
    await app.deps.database.db.deleteFrom('photos').where('id', '=', body.photos[0].id).execute();
    app.clock.advance(3_600_000);
    await removeLeftovers(app.deps);
    expect(await storedIn(app)).toEqual(before);
  });

  test('files of an existing photo do not count as orphaned', async () => {
    const { activity, volunteer } = await aFair(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const { db } = app.deps.database;
    const { storage_key: key } = await db
      .selectFrom('photos')
      .select('storage_key')
      .where('id', '=', body.photos[0].id)
      .executeTakeFirstOrThrow();
    const stray = newStorageKey();
    await transaction(app.deps.database, (trx) => insertOrphanedFiles(trx, [key, stray], app.clock.now()));
    expect(await findOrphanedAmong(db, [key, stray])).toEqual([stray]);
  });

  test('a photo whose renditions fail does not block others, and is retried an hour later', async () => {
    const { activity, volunteer } = await aFair(app);
    await makeRenditions(app.deps);
    const whole = await storedIn(app);
    const files = [await aPicture(), await aPicture()];
    await upload(app, { by: volunteer, to: activity, files });
    const { put } = app.deps.files;
    let puts = 0;
    Object.assign(app.deps.files, {
      put: (name: string, path: string) =>
        ++puts === 1 ? Promise.reject(new Error('away')) : put(name, path),
    });
    const failed = new Map<number, number>();
    await expect(makeRenditions(app.deps, { failed })).rejects.toThrow('away');
    await makeRenditions(app.deps, { failed });
    expect(await storedIn(app)).toHaveLength(whole.length + 2 * UPLOAD_SIZES.length + DEFERRED_SIZES.length);
    app.clock.advance(3_600_000);
    await makeRenditions(app.deps, { failed });
    Object.assign(app.deps.files, { put });
    expect(await storedIn(app)).toHaveLength(
      whole.length + 2 * (UPLOAD_SIZES.length + DEFERRED_SIZES.length),
    );
  });

  test('a signed link is cached only by the browser, and does not work while the photo is deleted', async () => {
    const { activity, volunteer } = await aFair(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [photo] = body.photos;
    const { status, headers } = await openLink(app, photo.signedUrl);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'cache-control': 'private, max-age=300',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'content-disposition': `inline; filename="photo-${photo.id}-view.jpg"`,
    });
    expect((await openLink(app, photo.thumbnailSignedUrl)).headers['content-type']).toBe('image/webp');
    await app.call(`DELETE /api/photos/${photo.id}`, { token: volunteer.token });
    expect((await openLink(app, photo.signedUrl)).status).toBe(404);
    await app.call(`POST /api/photos/${photo.id}/restore`, { token: volunteer.token });
    expect((await openLink(app, photo.signedUrl)).status).toBe(200);
  });

  test('a missing file returns 404 while the other sizes still work', async () => {
    const { activity, volunteer } = await aFair(app);
    const before = new Set(await storedIn(app));
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [photo] = body.photos;
    const names = (await storedIn(app)).filter((name) => !before.has(name));
    for (const name of names.filter((one) => one.endsWith('-view.jpg'))) await app.deps.files.remove(name);
    const gone = await openLink(app, photo.signedUrl);
    expect([gone.status, JSON.parse(gone.content.toString())]).toEqual([404, { error: 'Photo not found' }]);
    const small = await openLink(app, photo.thumbnailSignedUrl);
    expect([small.status, small.headers['content-disposition']]).toEqual([
      200,
      `inline; filename="photo-${photo.id}-thumbnail.webp"`,
    ]);
  });

  test('an upload that fills the storage leaves no row and no file', async () => {
    const { school, activity, volunteer } = await aFair(app);
    const before = await storedIn(app);
    const files = [await aPicture(), await aPicture()];
    const { put } = app.deps.files;
    let puts = 0;
    Object.assign(app.deps.files, {
      put: (name: string, path: string) =>
        ++puts > 4 ? Promise.reject(Object.assign(new Error('disk'), { code: 'ENOSPC' })) : put(name, path),
    });
    const reply = await upload(app, { by: volunteer, to: activity, files });
    Object.assign(app.deps.files, { put });
    expect([reply.status, reply.body.error]).toEqual([
      507,
      'Storage is full, so nothing was saved. Please contact your administrator.',
    ]);
    expect(await storedIn(app)).toEqual(before);
    const list = await app.call(`GET /api/schools/${school.id}/photos`, { token: volunteer.token });
    expect(list.body.pagination.total).toBe(0);
    expect((await upload(app, { by: volunteer, to: activity, files })).status).toBe(201);
  });

  test('the first cleanup after an activity was deleted removes its files', async () => {
    const { activity, volunteer } = await aFair(app);
    const ada = await anAdministrator(app);
    const before = await storedIn(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const remove = () => app.call(`DELETE /api/admin/activities/${activity.id}`, { token: ada.token });
    const held = await remove();
    expect([held.status, held.body.error]).toEqual([409, expect.stringContaining('1 photo')]);
    await app.call(`DELETE /api/photos/${body.photos[0].id}`, { token: ada.token });
    expect((await remove()).status).toBe(200);
    await removeLeftovers(app.deps);
    expect(await storedIn(app)).toEqual(before);
  });

  test('a deleted photo is purged with its files after 30 days', async () => {
    const { activity, volunteer } = await aFair(app);
    const files = [await aPicture(), await aPicture()];
    const { body } = await upload(app, { by: volunteer, to: activity, files });
    const [gone, kept] = body.photos;
    await makeRenditions(app.deps);
    await app.call(`DELETE /api/photos/${gone.id}`, { token: volunteer.token });
    app.clock.advance(30 * 86_400_000);
    const before = await storedIn(app);
    await clean(app);
    expect(await storedIn(app)).toEqual(before);
    app.clock.advance(1);
    await clean(app);
    expect((await storedIn(app)).length).toBe(before.length - STORED_SIZES.length);
    const ada = await anAdministrator(app);
    expect((await app.call(`POST /api/photos/${gone.id}/restore`, { token: ada.token })).status).toBe(404);
    expect((await app.call(`GET /api/photos/${kept.id}`, { token: ada.token })).status).toBe(200);
  });
});
