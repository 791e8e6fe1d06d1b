import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { recordOf } from '#test/audit-log.ts';
import { aCategory, anActivity, anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { drawn, phonePhoto } from '#test/images/draw-image.ts';
import { readPages } from '#test/list-requests.ts';
import { multipart, openLink, type SentFile, upload } from '#test/upload.ts';
import { readPhotoFile } from './actions.ts';

let app: TestApp;
let jpeg: Buffer;
beforeAll(async () => {
  app = await startApp();
  jpeg = await phonePhoto(320, 240);
});

let pictures = 0;
/** An image different from all others. */
const aPicture = async (name = 'fair.jpg'): Promise<SentFile> => ({
  name,
  content: await phonePhoto(40 + (++pictures % 200), 30 + Math.floor(pictures / 200)),
});

async function aFair(where: TestApp = app) {
  const school = await aSchool(where);
  const category = await aCategory(where, { school, name: `Fairs ${school.id}`, color: '#aa3300' });
  const activity = await anActivity(where, { school, category, name: 'Book fair' });
  const volunteer = await aPerson(where, { schools: [school] });
  return { school, activity, volunteer };
}

const storedFiles = (where: TestApp) =>
  readdirSync(join(where.dataDir, 'photos'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name);
const uploadFolders = (where: TestApp) => readdirSync(join(where.dataDir, 'uploads'));

describe('uploading photos', () => {
  test("returns every photo with its links, and updates the activity's count", async () => {
    const { school, activity, volunteer } = await aFair();
    const reply = await upload(app, {
      by: volunteer,
      to: activity,
      files: [{ name: 'IMG_1.jpg', content: jpeg }, await aPicture('IMG_2.jpg')],
      fields: { caption: '  The tables ', schoolId: String(school.id), containsStudents: 'true' },
    });
    expect(reply.status).toBe(201);
    expect(reply.body.message).toBe('2 photos uploaded successfully');
    expect(reply.body.photos).toHaveLength(2);
    expect(reply.body.photos[0]).toMatchObject({
      caption: 'The tables',
      originalName: 'IMG_1.jpg',
      fileSize: jpeg.length,
      width: 320,
      height: 240,
      googlePhotosUrl: null,
      user: null,
      activity: { id: activity.id, name: 'Book fair', activeFrom: null },
      schoolId: school.id,
      containsStudents: true,
      review: 'visible',
      canEdit: true,
      canDelete: true,
    });
    const list = await app.call(`GET /api/activities?schoolId=${school.id}`, { token: volunteer.token });
    expect(list.body.activities[0].photoCount).toBe(2);
    expect(await recordOf(app, 'photo', reply.body.photos[1].id)).toMatchObject([
      {
        action: 'photo.upload',
        actorId: volunteer.id,
        schoolId: school.id,
        after: { caption: 'The tables', containsStudents: true },
      },
    ]);
    expect(uploadFolders(app)).toEqual([]);
  });

  test('accepts HEIC from a phone', async () => {
    const { activity, volunteer } = await aFair();
    const content = readFileSync('test/images/phone.heic');
    const { status, body } = await upload(app, {
      by: volunteer,
      to: activity,
      files: [{ name: 'IMG_4.HEIC', content, type: '' }],
    });
    expect([status, body.photos[0].originalName, body.photos[0].width]).toEqual([201, 'IMG_4.HEIC', 320]);
  });

  test('returns the existing photo for a duplicate', async () => {
    const { school, activity, volunteer } = await aFair();
    const other = await anActivity(app, { school });
    const [one, two] = [await aPicture(), await aPicture()];
    const first = await upload(app, { by: volunteer, to: activity, files: [one] });
    const second = await upload(app, { by: volunteer, to: activity, files: [two, one, two] });
    expect(second.body.photos.map((photo: { id: number }) => photo.id)[1]).toBe(first.body.photos[0].id);
    expect([second.body.photos.length, second.body.message]).toEqual([2, '1 photo uploaded successfully']);
    const third = await upload(app, { by: volunteer, to: activity, files: [one] });
    expect([third.status, third.body.added, third.body.message]).toEqual([
      201,
      0,
      'This photo was already here',
    ]);
    expect((await upload(app, { by: volunteer, to: other, files: [one] })).body.message).toBe(
      '1 photo uploaded successfully',
    );
  });

  test('adds one photo if the same file is uploaded three times at once', async () => {
    const { activity, volunteer } = await aFair();
    const file = await aPicture();
    const replies = await Promise.all(
      [1, 2, 3].map(() => upload(app, { by: volunteer, to: activity, files: [file] })),
    );
    expect(replies.map((reply) => reply.status)).toEqual([201, 201, 201]);
    expect(new Set(replies.map((reply) => reply.body.photos[0].id)).size).toBe(1);
    expect(await app.deps.database.db.selectFrom('orphaned_photo_files').selectAll().execute()).toEqual([]);
  });

  test('returns the first photos with working links for a repeated Idempotency-Key', async () => {
    const { activity, volunteer } = await aFair();
    const files = [await aPicture()];
    const headers = { 'idempotency-key': 'photo-1' };
    const first = await upload(app, { by: volunteer, to: activity, files, headers });
    const again = await upload(app, { by: volunteer, to: activity, files, headers });
    expect([again.status, again.body.message]).toEqual([201, first.body.message]);
    expect(again.body.photos[0].id).toBe(first.body.photos[0].id);
    expect((await openLink(app, again.body.photos[0].signedUrl)).status).toBe(200);
    const other = await upload(app, { by: volunteer, to: activity, files: [await aPicture()], headers });
    expect(other.status).toBe(409);
  });

  test('adds no photo if one file is unreadable', async () => {
    const { school, activity, volunteer } = await aFair();
    const before = storedFiles(app).length;
    const bad = { name: 'notes.jpg', content: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>') };
    const reply = await upload(app, { by: volunteer, to: activity, files: [await aPicture(), bad] });
    const sentence =
      'notes.jpg: Invalid file type (image/svg+xml). Only JPEG, PNG, GIF, WebP, and HEIC are allowed.';
    expect([reply.status, reply.body]).toEqual([400, { error: sentence, fields: { photos: sentence } }]);
    const list = await app.call(`GET /api/schools/${school.id}/photos`, { token: volunteer.token });
    expect(list.body).toEqual({ photos: [], nextCursor: null, pagination: { total: 0 } });
    expect([storedFiles(app).length, uploadFolders(app)]).toEqual([before, []]);
  });

  test.each([
    ['text/plain', 'text/plain'],
    ['Application/Vnd.MS-Excel', 'application/vnd.ms-excel'],
    // An unknown file that claims to be a photo has no better name.
    ['image/jpeg', 'unknown'],
    ['no type at all', 'unknown'],
  ])('rejects a text file sent as %s, and calls its type %s', async (type, said) => {
    const { activity, volunteer } = await aFair();
    const files = [{ name: 'list.txt', content: Buffer.from('bring cups'), type }];
    const reply = await upload(app, { by: volunteer, to: activity, files });
    expect([reply.status, reply.body.error]).toEqual([
      400,
      `list.txt: Invalid file type (${said}). Only JPEG, PNG, GIF, WebP, and HEIC are allowed.`,
    ]);
  });

  test.each([
    ['cut off', async () => jpeg.subarray(0, jpeg.length / 2), 'fair.jpg: Could not read image'],
    [
      'too large to decode',
      () => drawn(8000, 6300).png().toBuffer(),
      'fair.jpg: Image dimensions are too large. A photo can have up to 50 megapixels and 20,000 pixels on each side.',
    ],
    ['empty', async () => Buffer.alloc(0), 'fair.jpg: The file is empty'],
  ])('rejects an image that is %s', async (_name, make, sentence) => {
    const { activity, volunteer } = await aFair();
    const files = [{ name: 'fair.jpg', content: await make() }];
    const reply = await upload(app, { by: volunteer, to: activity, files });
    expect([reply.status, reply.body.error]).toEqual([400, sentence]);
  });

  test('accepts 15,728,640 bytes and rejects one more', async () => {
    const { activity, volunteer } = await aFair();
    const padded = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);
    const most = await upload(app, {
      by: volunteer,
      to: activity,
      files: [{ name: 'large.jpg', content: padded(15_728_640) }],
    });
    expect(most.status).toBe(201);
    const more = await upload(app, {
      by: volunteer,
      to: activity,
      files: [{ name: 'large.jpg', content: padded(15_728_641) }],
    });
    expect([more.status, more.body.error]).toEqual([413, 'File too large. Maximum size is 10MB.']);
    expect(uploadFolders(app)).toEqual([]);
  });

  test('accepts five files, and rejects six or none', async () => {
    const { activity, volunteer } = await aFair();
    const files = await Promise.all([1, 2, 3, 4, 5, 6].map(() => aPicture()));
    expect((await upload(app, { by: volunteer, to: activity, files: files.slice(1) })).status).toBe(201);
    const six = await upload(app, { by: volunteer, to: activity, files });
    expect([six.status, six.body.error]).toEqual([400, 'You can upload up to 5 files at a time']);
    const none = await upload(app, { by: volunteer, to: activity, files: [] });
    expect([none.status, none.body.error]).toEqual([400, 'Please choose at least one photo']);
  });

  test('accepts a caption of 500 characters and rejects 501', async () => {
    const { activity, volunteer } = await aFair();
    const send = async (caption: string) =>
      upload(app, { by: volunteer, to: activity, files: [await aPicture()], fields: { caption } });
    expect((await send('é'.repeat(500))).body.photos[0].caption).toHaveLength(500);
    const long = await send('é'.repeat(501));
    expect([long.status, long.body.error]).toEqual([400, 'A caption can be up to 500 characters long']);
  });

  test.each([
    ['../../etc/passwd.jpg', 'passwd.jpg'],
    ['C:\\fakepath\\fair.jpg', 'fair.jpg'],
    ['fair\u202Egpj.exe', 'fairgpj.exe'],
    [`${'n'.repeat(300)}.jpg`, 'n'.repeat(255)],
  ])('cleans the file name %s', async (name, kept) => {
    const { activity, volunteer } = await aFair();
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture(name)] });
    expect(body.photos[0].originalName).toBe(kept);
  });

  test('rejects more than 200 photos a day', async () => {
    const { activity, volunteer } = await aFair();
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const row = await app.deps.database.db
      .selectFrom('photos')
      .selectAll()
      .where('id', '=', body.photos[0].id)
      .executeTakeFirstOrThrow();
    const copies = Array.from({ length: 199 }, (_, i) => {
      const { id, ...rest } = row;
      return { ...rest, storage_key: `copy${i}${row.storage_key}`, source_sha256: null };
    });
    await app.deps.database.db.insertInto('photos').values(copies).execute();
    const late = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    expect([late.status, late.body.error]).toEqual([
      429,
      'You can upload up to 200 photos a day. Please try again later.',
    ]);
    expect(late.headers['retry-after']).toBe('3600');
  });

  test('rejects a JSON body, and endpoints without files reject a multipart body', async () => {
    const { activity, volunteer } = await aFair();
    const json = await app.call(`POST /api/activities/${activity.id}/photos`, {
      token: volunteer.token,
      body: { caption: 'x' },
    });
    expect([json.status, json.body.error]).toEqual([415, 'Send this as multipart/form-data']);
    const { body, headers } = await multipart('logo', []);
    for (const line of ['POST /api/auth/login', 'POST /api/time-entries']) {
      const reply = await app.call(line, { token: volunteer.token, body, headers });
      expect([line, reply.status, reply.body.error]).toEqual([line, 415, 'Send this as application/json']);
    }
  });

  test('rejects unexpected fields, unexpected file parts and too many parts', async () => {
    const { activity, volunteer } = await aFair();
    for (const [field, fields] of [
      ['photos', { __proto__x: 'a', constructor: 'x' }],
      ['essays', {}],
      ['photos', Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, 'x']))],
    ] as const) {
      const { body, headers } = await multipart(field, [await aPicture()], fields);
      const reply = await app.call(`POST /api/activities/${activity.id}/photos`, {
        token: volunteer.token,
        body,
        headers,
      });
      expect([400, 413]).toContain(reply.status);
    }
  });
});

describe('a user of another school', () => {
  test('gets 404 for lists, photos and activities, and changes nothing', async () => {
    const { school, activity, volunteer } = await aFair();
    const stranger = (await aFair()).volunteer;
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const { id } = body.photos[0];
    const asks = (methodAndPath: string, given?: unknown) =>
      app.call(methodAndPath, { token: stranger.token, ...(given === undefined ? {} : { body: given }) });
    const answers = [
      await asks(`GET /api/schools/${school.id}/photos`),
      await asks(`GET /api/activities/${activity.id}/photos`),
      await asks(`GET /api/photos/${id}`),
      await asks(`PUT /api/photos/${id}`, { caption: 'mine' }),
      await asks(`DELETE /api/photos/${id}`),
      await asks(`POST /api/photos/${id}/restore`),
      await asks(`POST /api/photos/${id}/takedown`, {}),
      await upload(app, { by: stranger, to: activity, files: [await aPicture()] }),
    ];
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(404));
    expect(answers[2]?.text).toBe((await asks('GET /api/photos/999999')).text);
    expect((await app.call(`GET /api/photos/${id}`, { token: volunteer.token })).body.photo.caption).toBe(
      null,
    );
  });

  test('gets 404 for a school ID that does not match the activity', async () => {
    const { activity, volunteer } = await aFair();
    const elsewhere = await aSchool(app);
    const fields = { schoolId: String(elsewhere.id) };
    const reply = await upload(app, { by: volunteer, to: activity, files: [await aPicture()], fields });
    expect([reply.status, reply.body.error]).toEqual([404, 'Activity not found']);
    const list = await app.call(`GET /api/activities/${activity.id}/photos?schoolId=${elsewhere.id}`, {
      token: volunteer.token,
    });
    expect(list.status).toBe(404);
  });

  test('cannot open the trash, review queue or settings', async () => {
    const { volunteer } = await aFair();
    for (const path of ['trash', 'review', 'review/count', 'settings']) {
      expect((await app.call(`GET /api/admin/photos/${path}`, { token: volunteer.token })).status).toBe(403);
      expect((await app.call(`GET /api/admin/photos/${path}`)).status).toBe(401);
    }
  });
});

describe('listing photos', () => {
  test('returns pages, latest first, with the total', async () => {
    const { school, activity, volunteer } = await aFair();
    const ada = await anAdministrator(app);
    for (let i = 0; i < 3; i++) await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const path = `GET /api/activities/${activity.id}/photos?schoolId=${school.id}&limit=2`;
    const first = await app.call(path, { token: volunteer.token });
    const rest = await app.call(`${path}&cursor=${first.body.nextCursor}`, { token: volunteer.token });
    const ids = [...first.body.photos, ...rest.body.photos].map((photo) => photo.id);
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect([ids.length, first.body.pagination.total, rest.body.nextCursor]).toEqual([3, 3, null]);
    const elsewhere = await app.call(`GET /api/schools/${school.id}/photos?cursor=${first.body.nextCursor}`, {
      token: volunteer.token,
    });
    expect(elsewhere.status).toBe(400);
    const one = await app.call(`GET /api/schools/${school.id}/photos?limit=1`, { token: ada.token });
    expect([one.body.photos.length, one.body.pagination.total]).toEqual([1, 3]);
    expect(one.body.photos[0].user).toEqual({
      id: volunteer.id,
      firstName: volunteer.firstName,
      lastName: volunteer.lastName,
    });
  });
});

describe('signed photo link', () => {
  async function aLink() {
    const { activity, volunteer } = await aFair();
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    return { photo: body.photos[0], volunteer };
  }

  test('works for five minutes', async () => {
    const { photo, volunteer } = await aLink();
    app.clock.advance(4 * 60_000 + 59_000);
    expect((await openLink(app, photo.signedUrl)).status).toBe(200);
    app.clock.advance(1_000);
    const late = await openLink(app, photo.signedUrl);
    expect([late.status, JSON.parse(late.content.toString())]).toEqual([
      403,
      { error: 'Link expired or invalid' },
    ]);
    const fresh = await app.call(`GET /api/photos/${photo.id}`, { token: volunteer.token });
    expect(fresh.body.signedUrl).toBe(fresh.body.photo.signedUrl);
    expect((await openLink(app, fresh.body.thumbnailSignedUrl)).status).toBe(200);
  });

  test('is rejected if any part was changed', async () => {
    const { photo } = await aLink();
    const other = (await aLink()).photo;
    const link: string = photo.signedUrl;
    const altered = [
      link.replace('/view?', '/full?'),
      link.replace('/view?', '/thumbnail?'),
      link.replace('/view?', '/original?'),
      link.replace(`/${photo.id}/`, `/${other.id}/`),
      link.replace(/expires=(\d+)/, (_all, at) => `expires=${Number(at) + 60_000}`),
      link.replace(/expires=\d+/, 'expires=9e15'),
      link.replace(/signature=./, 'signature=_'),
      link.replace(/&signature=.*/, ''),
      link.replace(/\?.*/, ''),
    ];
    for (const one of altered) expect([one, (await openLink(app, one)).status]).toEqual([one, 403]);
  });
});

test('a link without a valid signature returns the same error whether or not the photo exists', async () => {
  const { activity, volunteer } = await aFair();
  const files = [await aPicture(), await aPicture(), await aPicture()];
  const { body } = await upload(app, { by: volunteer, to: activity, files });
  const [there, hidden, gone] = body.photos;
  await app.call(`POST /api/photos/${hidden.id}/takedown`, { token: volunteer.token, body: {} });
  await app.call(`DELETE /api/photos/${gone.id}`, { token: volunteer.token });
  const ids = [there.id, hidden.id, gone.id, 999_999, 0, 'x'];
  const [, query = ''] = there.signedUrl.split('?');
  const [, own = ''] = query.split('signature=');
  const queries = [
    '',
    `?${query.replace(own, own.toUpperCase())}`,
    `?${query.replace(/signature=.*/, 'signature=.')}`,
  ];
  const answers = await Promise.all(
    ids.flatMap((id) =>
      queries.map(async (given) => {
        const { status, headers, content } = await openLink(app, `/api/photos/${id}/files/view${given}`);
        const { 'x-request-id': _id, date: _date, ...others } = headers;
        return JSON.stringify([status, content.toString(), others]);
      }),
    ),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).toContain('Link expired or invalid');
});

test('the signature of a link is checked before the database is read', async () => {
  const deps = {
    ...app.deps,
    get database(): never {
      throw new Error('a look at the database');
    },
  };
  const request = { at: app.clock.now(), address: '192.0.2.1', requestId: 'r', agent: '' };
  const link = { id: 1, size: 'view', expires: '9e15', signature: '' };
  await expect(readPhotoFile(deps, request, link)).rejects.toMatchObject({ kind: 'forbidden' });
});

describe('a school member', () => {
  test('can edit and clear a caption, up to 500 characters', async () => {
    const { school, activity, volunteer } = await aFair();
    const other = await aPerson(app, { schools: [school] });
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const { id, version } = body.photos[0];
    const edit = (given: unknown, headers: Record<string, string> = {}) =>
      app.call(`PUT /api/photos/${id}`, { token: other.token, body: given, headers });
    const edited = await edit({ caption: 'Two tables' });
    expect([edited.body.message, edited.body.photo.caption]).toEqual([
      'Caption updated successfully',
      'Two tables',
    ]);
    expect((await edit({ caption: 'x'.repeat(501) })).status).toBe(400);
    expect((await edit({ caption: 'late' }, { 'if-match': String(version) })).status).toBe(409);
    expect((await edit({ caption: '  ' })).body.photo.caption).toBe(null);
    const [uploaded, ...captions] = await recordOf(app, 'photo', id);
    expect(uploaded?.action).toBe('photo.upload');
    expect(captions.map(({ action, after }) => [action, after])).toEqual([
      ['photo.caption', { caption: 'Two tables' }],
      ['photo.caption', { caption: null }],
    ]);
  });

  test('can undo their own deletion for 10 minutes, and an administrator for 30 days', async () => {
    const { school, activity, volunteer } = await aFair();
    const other = await aPerson(app, { schools: [school] });
    const ada = await anAdministrator(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const { id } = body.photos[0];
    const remove = () => app.call(`DELETE /api/photos/${id}`, { token: other.token, body: {} });
    const restore = (by: { token: string }) =>
      app.call(`POST /api/photos/${id}/restore`, { token: by.token });
    expect((await remove()).body).toEqual({ message: 'Photo deleted successfully' });
    expect((await recordOf(app, 'photo', id)).at(-1)).toMatchObject({
      action: 'photo.delete',
      before: { activityId: activity.id, caption: null },
    });
    expect((await remove()).status).toBe(404);
    expect((await restore(volunteer)).status).toBe(404);
    app.clock.advance(10 * 60_000);
    expect((await restore(other)).body.photo.id).toBe(id);
    await remove();
    app.clock.advance(10 * 60_000 + 1);
    expect((await restore(other)).body.error).toBe('This photo was deleted too long ago to restore');
    const trash = await app.call(`GET /api/admin/photos/trash?schoolId=${school.id}`, { token: ada.token });
    expect(trash.body).toMatchObject({ pagination: { total: 1 }, nextCursor: null });
    const [{ deletedAt, removedAt, ...deleted }] = trash.body.photos;
    expect(deleted).toMatchObject({ id, deletedBy: { id: other.id } });
    expect(millisecondsOf(removedAt) - millisecondsOf(deletedAt)).toBe(30 * 24 * 3_600_000);
    expect((await restore(ada)).status).toBe(200);
    expect((await restore(ada)).body.photo.id).toBe(id);
    const actions = (await recordOf(app, 'photo', id)).map(({ action }) => action);
    expect(actions.filter((action) => action === 'photo.restore')).toHaveLength(2);
    const stale = await app.call(`DELETE /api/photos/${id}`, {
      token: other.token,
      headers: { 'if-match': String(body.photos[0].version) },
    });
    expect(stale.status).toBe(409);
    await remove();
    app.clock.advance(30 * 86_400_000);
    expect((await restore(await anAdministrator(app))).status).toBe(200);
    await app.call(`DELETE /api/photos/${id}`, { token: (await anAdministrator(app)).token });
    app.clock.advance(30 * 86_400_000 + 1);
    const tooLate = await restore(await anAdministrator(app));
    expect([tooLate.status, tooLate.body.error]).toEqual([
      409,
      'This photo was deleted too long ago to restore',
    ]);
  });

  test("cannot change another user's photo with PHOTO_MANAGERS=uploader", async () => {
    const strict = await startApp({ PHOTO_MANAGERS: 'uploader' });
    const { school, activity, volunteer } = await aFair(strict);
    const other = await aPerson(strict, { schools: [school] });
    const ada = await anAdministrator(strict);
    const { body } = await upload(strict, { by: volunteer, to: activity, files: [await aPicture()] });
    const { id } = body.photos[0];
    const seen = await strict.call(`GET /api/photos/${id}`, { token: other.token });
    expect([seen.body.photo.canEdit, seen.body.photo.canDelete]).toEqual([false, false]);
    const refused = await strict.call(`DELETE /api/photos/${id}`, { token: other.token });
    expect(refused.status).toBe(403);
    for (const by of [volunteer, ada]) {
      const edited = await strict.call(`PUT /api/photos/${id}`, {
        token: by.token,
        body: { caption: 'mine' },
      });
      expect(edited.status).toBe(200);
    }
  });
});

describe('photo trash', () => {
  test('restores a photo only if the same image was not uploaded again', async () => {
    const { activity, volunteer } = await aFair();
    const file = await aPicture();
    const { body } = await upload(app, { by: volunteer, to: activity, files: [file] });
    await app.call(`DELETE /api/photos/${body.photos[0].id}`, { token: volunteer.token });
    const again = await upload(app, { by: volunteer, to: activity, files: [file] });
    expect(again.body.photos[0].id).not.toBe(body.photos[0].id);
    const back = await app.call(`POST /api/photos/${body.photos[0].id}/restore`, { token: volunteer.token });
    expect([back.status, back.body.error]).toEqual([409, 'This photo was already added']);
  });

  test('lists pages, latest deletion first, with the purge date of each photo', async () => {
    const { school, activity, volunteer } = await aFair();
    const ada = await anAdministrator(app);
    const deleted: number[] = [];
    for (let i = 0; i < 3; i++) {
      const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
      await app.call(`DELETE /api/photos/${body.photos[0].id}`, { token: volunteer.token });
      deleted.unshift(body.photos[0].id);
      app.clock.advance(1000);
    }
    type Trash = { id: number; deletedAt: string; deletedBy: { id: number }; removedAt: string }[];
    const pages = await readPages(app, `/api/admin/photos/trash?schoolId=${school.id}`, ada.token, 2);
    const photos = pages.flatMap((page) => page['photos'] as Trash);
    expect(photos.map(({ id }) => id)).toEqual(deleted);
    expect(pages.map((page) => page['pagination'])).toEqual([{ total: 3 }, { total: 3 }]);
    const [last] = photos;
    expect(last?.deletedBy.id).toBe(volunteer.id);
    expect(last?.removedAt).toBe(plusMilliseconds(last?.deletedAt as Instant, 30 * 24 * 3_600_000));
    const one = await app.call(`GET /api/admin/photos/trash?schoolId=${school.id}&limit=1`, {
      token: ada.token,
    });
    const elsewhere = await app.call(`GET /api/admin/photos/trash?cursor=${one.body.nextCursor}`, {
      token: ada.token,
    });
    expect(elsewhere.status).toBe(400);
  });

  test('contains links that stop working once the photo is restored', async () => {
    const { school, activity, volunteer } = await aFair();
    const ada = await anAdministrator(app);
    const { body } = await upload(app, { by: volunteer, to: activity, files: [await aPicture()] });
    const [photo] = body.photos;
    const remove = () => app.call(`DELETE /api/photos/${photo.id}`, { token: volunteer.token });
    const linkInTrash = async () => {
      const trash = await app.call(`GET /api/admin/photos/trash?schoolId=${school.id}`, { token: ada.token });
      return trash.body.photos[0].thumbnailSignedUrl;
    };
    await remove();
    const link = await linkInTrash();
    expect((await openLink(app, photo.thumbnailSignedUrl)).status).toBe(404);
    expect(await openLink(app, link)).toMatchObject({
      status: 200,
      headers: { 'content-type': 'image/webp' },
    });
    expect((await openLink(app, link.replace('/thumbnail?', '/full?'))).status).toBe(403);
    await app.call(`POST /api/photos/${photo.id}/restore`, { token: ada.token });
    expect((await openLink(app, link)).status).toBe(403);
    expect((await openLink(app, photo.thumbnailSignedUrl)).status).toBe(200);
    app.clock.advance(1);
    await remove();
    expect((await openLink(app, link)).status).toBe(404);
    expect((await openLink(app, await linkInTrash())).status).toBe(200);
    app.clock.advance(5 * 60_000);
    expect((await openLink(app, await linkInTrash())).status).toBe(200);
    expect((await openLink(app, link)).status).toBe(403);
  });
});
