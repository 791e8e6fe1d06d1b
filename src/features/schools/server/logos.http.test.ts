import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, test } from 'vitest';
import { recordOf } from '#test/audit-log.ts';
import { anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { startApp, type TestApp } from '#test/harness.ts';
import { NO_ID } from '#test/list-requests.ts';
import { multipart, openLink, type SentFile } from '#test/upload.ts';

let app: TestApp;
let admin: Awaited<ReturnType<typeof anAdministrator>>;
beforeAll(async () => {
  app = await startApp();
  admin = await anAdministrator(app);
});

/** A badge in one colour on a clear ground. */
const badge = (color: string, side = 800) =>
  sharp({ create: { width: side, height: side, channels: 4, background: '#00000000' } })
    .composite([
      {
        input: {
          create: {
            width: Math.floor(side / 2),
            height: Math.floor(side / 2),
            channels: 4,
            background: color,
          },
        },
      },
    ])
    .png()
    .toBuffer();

const aFile = (content: Buffer, name = 'logo.png'): SentFile => ({ name, content });

async function send(
  id: unknown,
  files: readonly SentFile[],
  { token = admin.token, field = 'logo', ifMatch = '' } = {},
) {
  const { body, headers } = await multipart(field, files);
  return app.call(`POST /api/admin/schools/${id}/logo`, {
    token: token === '' ? undefined : token,
    body,
    headers: { ...headers, ...(ifMatch === '' ? {} : { 'if-match': ifMatch }) },
  });
}

const remove = (id: number, token = admin.token) =>
  app.call(`DELETE /api/admin/schools/${id}/logo`, { token });

describe('school logo', () => {
  test('is re-encoded to at most 500 x 500 pixels and appears wherever the school does', async () => {
    const school = await aSchool(app, { name: 'Lincoln' });
    const reply = await send(school.id, [aFile(await badge('#0f6b4f'))]);
    expect([reply.status, reply.body.message]).toEqual([200, 'School logo updated successfully']);
    const { logoUrl } = reply.body.school;
    expect(logoUrl).toMatch(/^\/api\/schools\/logos\/[0-9a-f]{32}\.png$/);

    const { schools } = (await app.call('GET /api/schools/public')).body;
    expect(schools).toContainEqual({ id: school.id, name: 'Lincoln', logoUrl });
    const member = await aPerson(app, { schools: [school] });
    const profile = await app.call('GET /api/profile', { token: member.token });
    expect(profile.body.user.schools[0].logoUrl).toBe(logoUrl);

    const shown = await openLink(app, logoUrl);
    expect(shown.status).toBe(200);
    const { format, width, height, hasAlpha } = await sharp(shown.content).metadata();
    expect({ format, width, height, hasAlpha }).toEqual({
      format: 'png',
      width: 500,
      height: 500,
      hasAlpha: true,
    });
  });

  test('is cached permanently and sent with nosniff', async () => {
    const school = await aSchool(app);
    const { body } = await send(school.id, [aFile(await badge('#123456'))]);
    const { headers } = await openLink(app, body.school.logoUrl);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['content-disposition']).toMatch(/^inline/);
  });

  test("becomes a small upright WebP without the photo's location and time", async () => {
    const school = await aSchool(app);
    const grain = { type: 'gaussian', mean: 128, sigma: 30 } as const;
    const photo = await sharp({
      create: { width: 1200, height: 900, channels: 3, background: '#fff', noise: grain },
    })
      .jpeg()
      .withExif({ IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '41/1 52/1 41/1' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await send(school.id, [aFile(photo, 'school.jpg')]);
    expect(body.school.logoUrl).toMatch(/\.webp$/);
    const { content, headers } = await openLink(app, body.school.logoUrl);
    const { format, width, height, exif } = await sharp(content).metadata();
    expect([format, width, height, exif]).toEqual(['webp', 375, 500, undefined]);
    expect(headers['content-type']).toBe('image/webp');
    expect(content.length).toBeLessThan(150_000);
  });

  test('keeps its size if it is smaller than the limit', async () => {
    const school = await aSchool(app);
    const { body } = await send(school.id, [aFile(await badge('#abcdef', 64))]);
    const { width, height } = await sharp((await openLink(app, body.school.logoUrl)).content).metadata();
    expect([width, height]).toEqual([64, 64]);
  });

  test('has its file deleted when it is replaced or removed, and each change is audited', async () => {
    const school = await aSchool(app);
    const first = (await send(school.id, [aFile(await badge('#aa0000'))])).body.school;
    const second = (await send(school.id, [aFile(await badge('#00aa00'))])).body.school;
    expect(second.logoUrl).not.toBe(first.logoUrl);
    expect(second.version).toBe(first.version + 1);
    expect((await openLink(app, first.logoUrl)).status).toBe(404);
    expect((await openLink(app, second.logoUrl)).status).toBe(200);

    const removed = await remove(school.id);
    expect([removed.status, removed.body.message]).toEqual([200, 'School logo removed successfully']);
    expect(removed.body.school.logoUrl).toBeNull();
    expect((await openLink(app, second.logoUrl)).status).toBe(404);
    expect((await remove(school.id)).status).toBe(200);

    const record = await recordOf(app, 'school', school.id);
    expect(record.map(({ action, before, after }) => [action, before.logoUrl, after.logoUrl])).toEqual([
      ['school.logo', null, first.logoUrl],
      ['school.logo', first.logoUrl, second.logoUrl],
      ['school.logo-remove', second.logoUrl, null],
    ]);
    expect(record[0]).toMatchObject({ actorId: admin.id, schoolId: school.id, address: '10.0.0.1' });
  });

  test('stays for another school that has the same logo', async () => {
    const [one, other] = [await aSchool(app), await aSchool(app)];
    const picture = await badge('#777777');
    const { logoUrl } = (await send(one.id, [aFile(picture)])).body.school;
    expect((await send(other.id, [aFile(picture)])).body.school.logoUrl).toBe(logoUrl);
    await remove(one.id);
    expect((await openLink(app, logoUrl)).status).toBe(200);
  });

  test('is deleted with its school and leaves no upload behind', async () => {
    const school = await aSchool(app);
    const { logoUrl } = (await send(school.id, [aFile(await badge('#998877'))])).body.school;
    await app.call(`DELETE /api/admin/schools/${school.id}`, { token: admin.token });
    expect((await openLink(app, logoUrl)).status).toBe(404);
    expect(readdirSync(join(app.dataDir, 'uploads'))).toEqual([]);
  });
});

describe('setting a school logo', () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  test.each([
    ['an SVG', svg, 400, 'The logo must be a JPEG, PNG, GIF, WebP or HEIC image'],
    [
      'an HTML page',
      Buffer.from('<!doctype html><p>hello'),
      400,
      'The logo must be a JPEG, PNG, GIF, WebP or HEIC image',
    ],
    [
      'a damaged PNG',
      undefined,
      400,
      'This image is damaged or incomplete. Choose another one for the logo.',
    ],
    ['a file of 6 MB', Buffer.alloc(6 * 1024 * 1024, 1), 413, 'The logo can be up to 5 MB'],
  ])('rejects %s, even if it is named logo.png', async (_what, content, status, error) => {
    const school = await aSchool(app);
    const torn = async () => (await badge('#445566')).subarray(0, 300);
    const reply = await send(school.id, [aFile(content ?? (await torn()), 'logo.png')]);
    expect([reply.status, reply.body]).toEqual([status, { error, fields: { logo: error } }]);
    expect(await recordOf(app, 'school', school.id)).toEqual([]);
  });

  test('requires exactly one image, in the field "logo"', async () => {
    const school = await aSchool(app);
    const none = await send(school.id, []);
    expect([none.status, none.body.error]).toEqual([400, 'Choose an image for the logo']);
    const picture = aFile(await badge('#223344'));
    const two = await send(school.id, [picture, picture]);
    expect([two.status, two.body.error]).toEqual([400, 'A school has only one logo. Choose one image.']);
    expect((await send(school.id, [picture], { field: 'photo' })).status).toBe(400);
    const json = await app.call(`POST /api/admin/schools/${school.id}/logo`, {
      token: admin.token,
      body: { logo: 'x' },
    });
    expect(json.status).toBe(415);
  });

  test('is rejected for an unknown school or an outdated version', async () => {
    const picture = aFile(await badge('#556677'));
    for (const id of NO_ID) {
      const reply = await send(id, [picture]);
      expect([id, reply.status, reply.body]).toEqual([id, 404, { error: 'School not found' }]);
    }
    const school = await aSchool(app);
    expect((await send(school.id, [picture], { ifMatch: '"9"' })).status).toBe(409);
  });

  test('is rejected for users who are not administrators', async () => {
    const school = await aSchool(app);
    const volunteer = await aPerson(app, { schools: [school] });
    const picture = aFile(await badge('#667788'));
    expect((await send(school.id, [picture], { token: volunteer.token })).status).toBe(403);
    expect((await send(school.id, [picture], { token: '' })).status).toBe(401);
    expect((await remove(school.id, volunteer.token)).status).toBe(403);
    expect((await openLink(app, '/api/schools/logos/nothing.png')).status).toBe(404);
  });
});
