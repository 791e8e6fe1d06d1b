import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startDriveSync } from '#features/photos/google-drive/server/worker.ts';
import { fileName, newStorageKey, STORED_SIZES } from '#features/photos/server/photo-files.ts';
import { anAdministrator } from './builders.ts';
import { type Google, startGoogle } from './google/fake-google.ts';
import { atEnd, type Reply, startApp, type TestApp, type TestClock } from './harness.ts';

const STATUS = 'GET /api/admin/google-drive/status';
const AUTH_URL = 'GET /api/admin/google-drive/auth-url';
const SYNC = 'POST /api/admin/google-drive/sync-activities';

/** Starts the product with a fake Google and an administrator, not connected yet. */
export async function besideGoogle(
  settings: Record<string, string> = {},
  options: { clock?: TestClock; slownessMs?: number } = {},
) {
  const google = await startGoogle({ slownessMs: options.slownessMs ?? 0 });
  atEnd(google.close);
  const app = await startApp({ ...google.settings, ...settings }, options);
  const admin = await anAdministrator(app);
  return { google, app, admin };
}

/** Starts the product with a fake Google, connected, with the Drive worker running. */
export async function connectedToGoogle(settings: Record<string, string> = {}) {
  const started = await besideGoogle(settings);
  await connect(started);
  workOn(started.app);
  return started;
}

/** Connects to Google Drive through the consent page, as a browser would. */
export async function connect({
  app,
  google,
  admin,
}: {
  app: TestApp;
  google: Google;
  admin: { token: string };
}): Promise<Reply> {
  return comeBack(app, await google.consent(await authUrlOf(app, admin)));
}

const cookies = new WeakMap<TestApp, string>();

/** Requests the consent page's URL, and stores the cookie as a browser does. */
export async function authUrlOf(app: TestApp, { token }: { token: string }): Promise<string> {
  const cookie = cookies.get(app);
  const { body, headers } = await app.call(AUTH_URL, {
    token,
    ...(cookie === undefined ? {} : { headers: { cookie } }),
  });
  cookies.set(app, String(headers['set-cookie']).split(';')[0] ?? '');
  return body.authUrl;
}

/** Opens the page to which Google redirects, with the stored cookie. */
export function comeBack(app: TestApp, address: string): Promise<Reply> {
  const { pathname, search } = new URL(address);
  return app.call(`GET ${pathname}${search}`, { headers: { cookie: cookies.get(app) ?? '' } });
}

/** Runs the Drive worker until the end of the file or until it is stopped. */
export function workOn(app: TestApp): { stop: () => Promise<void> } {
  const working = startDriveSync(app.deps);
  atEnd(working.stop);
  return working;
}

/** The connection's status as the API reports it. */
export async function statusOf(app: TestApp, { token }: { token: string }) {
  return (await app.call(STATUS, { token })).body;
}

/** Syncs activities and waits until it is done. */
export function sync(
  app: TestApp,
  { token }: { token: string },
  activities: readonly { id: number }[],
): Promise<Reply> {
  return app.call(SYNC, { token, body: { activityIds: activities.map(({ id }) => id) } });
}

/** Makes a photo with a stored file of the given size. */
export async function aStoredPhoto(
  app: TestApp,
  given: {
    by: { id: number };
    activity: { id: number; schoolId: number };
    bytes?: number;
    review?: 'visible' | 'waiting' | 'reported';
    name?: string;
  },
): Promise<{ id: number; storageKey: string; sha256: string }> {
  const storageKey = newStorageKey();
  const content = randomBytes(given.bytes ?? 2000);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const path = join(app.dataDir, `photo-${storageKey}`);
  writeFileSync(path, content);
  const full = STORED_SIZES.find(({ size }) => size === 'full');
  if (full !== undefined) await app.deps.files.put(fileName(storageKey, full), path);
  const { id } = await app.deps.database.db
    .insertInto('photos')
    .values({
      activity_id: given.activity.id,
      school_id: given.activity.schoolId,
      user_id: given.by.id,
      caption: null,
      original_name: given.name ?? 'IMG_0001.HEIC',
      file_size: content.length,
      storage_key: storageKey,
      sha256,
      width: 40,
      height: 30,
      google_photos_url: null,
      google_photos_id: null,
      created_at: app.clock.now(),
      deleted_at: null,
      deleted_by: null,
      review: given.review ?? 'visible',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, storageKey, sha256 };
}

/** Makes a number of photos of an activity. */
export async function storedPhotos(
  app: TestApp,
  count: number,
  given: Parameters<typeof aStoredPhoto>[1],
): Promise<{ id: number }[]> {
  const photos = [];
  for (let made = 0; made < count; made += 1) photos.push(await aStoredPhoto(app, given));
  return photos;
}
