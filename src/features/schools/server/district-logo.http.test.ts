import sharp from 'sharp';
import { expect, test } from 'vitest';
import { prepare } from '#app/server/start.ts';
import { anAdministrator, aPerson, aSchool } from '#test/builders.ts';
import { atEnd, caller, startApp } from '#test/harness.ts';
import { multipart, openLink } from '#test/upload.ts';

const LOGO = '/api/admin/settings/logo';

const badge = (color: string) =>
  sharp({ create: { width: 800, height: 200, channels: 4, background: color } })
    .png()
    .toBuffer();

async function aDistrict() {
  const app = await startApp();
  const admin = await anAdministrator(app);
  const send = async (content: Buffer, name = 'logo.png', token = admin.token) =>
    app.call(`POST ${LOGO}`, { token, ...(await multipart('logo', [{ name, content }])) });
  const remove = () => app.call(`DELETE ${LOGO}`, { token: admin.token });
  const config = async () => (await app.call('GET /api/config')).body;
  const recorded = () =>
    app.deps.database.db
      .selectFrom('audit_events')
      .select(['action', 'before', 'after', 'actor_id'])
      .where('action', 'like', 'district.logo%')
      .orderBy('id')
      .execute();
  return { app, admin, send, remove, config, recorded };
}

test('the district logo is re-encoded, public on every server, and cached for a year', async () => {
  const { app, send, config } = await aDistrict();
  expect(await config()).not.toHaveProperty('logo');
  const reply = await send(await badge('#0f6b4f'));
  expect([reply.status, reply.body.message]).toEqual([200, 'Logo saved']);
  const { logoUrl } = reply.body;
  expect(logoUrl).toMatch(/^\/api\/schools\/logos\/[0-9a-f]{32}\.png$/);
  expect((await config()).logo.url).toBe(logoUrl);

  const { app: other } = await prepare(app.deps.config, { clock: app.clock, isReplyChecked: true });
  await other.ready();
  atEnd(() => other.close());
  expect((await caller(other)('GET /api/config')).body.logo).toEqual({
    url: logoUrl,
    width: 500,
    height: 125,
  });

  const { content, headers } = await openLink(app, logoUrl);
  const { format, width, height } = await sharp(content).metadata();
  expect([format, width, height]).toEqual(['png', 500, 125]);
  expect(headers).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
  });
});

test('replacing and removing the logo are audited, and saving settings keeps it', async () => {
  const { app, admin, send, remove, config, recorded } = await aDistrict();
  const first = (await send(await badge('#aa0000'))).body.logoUrl;
  await send(await badge('#aa0000'));
  const second = (await send(await badge('#00aa00'))).body.logoUrl;
  expect((await openLink(app, first)).status).toBe(404);
  expect((await openLink(app, second)).status).toBe(200);

  const saved = await app.call('PUT /api/admin/settings', {
    token: admin.token,
    body: { photosSeenBy: 'approved' },
  });
  expect(saved.body.settings.logoUrl).toBe(second);
  expect((await config()).logo.url).toBe(second);

  const removed = await remove();
  expect([removed.status, removed.body]).toEqual([200, { logoUrl: null, message: 'Logo removed' }]);
  expect((await remove()).status).toBe(200);
  expect(await config()).not.toHaveProperty('logo');
  expect((await openLink(app, second)).status).toBe(404);
  expect(
    (await app.call('GET /api/admin/settings', { token: admin.token })).body.settings.logoUrl,
  ).toBeNull();

  const rows = await recorded();
  expect(
    rows.map(({ action, before, after }) => [
      action,
      JSON.parse(before ?? '').logoUrl,
      JSON.parse(after ?? '').logoUrl,
    ]),
  ).toEqual([
    ['district.logo', null, first],
    ['district.logo', first, second],
    ['district.logo-remove', second, null],
  ]);
  expect(rows[0]?.actor_id).toBe(admin.id);
});

test.each([
  [
    'an SVG',
    Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'),
    400,
    'The logo must be a JPEG, PNG, GIF, WebP or HEIC image',
  ],
  ['a file of 6 MB', Buffer.alloc(6 * 1024 * 1024, 1), 413, 'The logo can be up to 5 MB'],
])('uploading %s fails and keeps the previous logo', async (_what, content, status, error) => {
  const { send, config } = await aDistrict();
  const { logoUrl } = (await send(await badge('#334455'))).body;
  const reply = await send(content);
  expect([reply.status, reply.body]).toEqual([status, { error, fields: { logo: error } }]);
  expect((await config()).logo.url).toBe(logoUrl);
});

test('concurrent uploads leave one complete logo, and keep a concurrent change of the settings', async () => {
  const { app, admin, send, config } = await aDistrict();
  const pictures = await Promise.all(['#110000', '#220000', '#330000'].map(badge));
  const replies = await Promise.all([
    ...pictures.map((picture) => send(picture)),
    app.call('PUT /api/admin/settings', { token: admin.token, body: { photosSeenBy: 'approved' } }),
  ]);
  expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const { url: logoUrl } = (await config()).logo;
  expect(replies.map(({ body }) => body.logoUrl)).toContain(logoUrl);
  expect((await openLink(app, logoUrl)).status).toBe(200);
  expect(app.deps.config.photosSeenBy).toBe('approved');
});

test('a volunteer cannot set the district logo', async () => {
  const { app, send, config } = await aDistrict();
  const school = await aSchool(app);
  const volunteer = await aPerson(app, { schools: [school] });
  expect((await send(await badge('#667788'), 'logo.png', volunteer.token)).status).toBe(403);
  expect(await config()).not.toHaveProperty('logo');
});
