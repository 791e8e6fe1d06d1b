import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, expect, test, vi } from 'vitest';
import { openBackupStorage } from '#server/backup/open-backup-storage.ts';
import { openBucket } from '#server/storage/s3-bucket.ts';
import { anActivity, anAdministrator, anEntry, aPerson, aSchool } from '#test/builders.ts';
import { runCommand } from '#test/command.ts';
import { atEnd, emptyPlace, startApp, type TestApp } from '#test/harness.ts';
import { startObjectStore } from '#test/object-store.ts';
import { upload } from '#test/upload.ts';
import { phonePhoto } from '../images/draw-image.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 });

const PHOTO_FILES = 3;

let objects: Awaited<ReturnType<typeof startObjectStore>>;
let app: TestApp;
let photoStore: string;
let send: (width: number) => Promise<number>;

beforeAll(async () => {
  objects = await startObjectStore();
  photoStore = await objects.bucket('photos');
  app = await startApp({ PHOTO_STORE_URL: photoStore });
  const school = await aSchool(app, { name: 'Lincoln' });
  const activity = await anActivity(app, { school });
  const volunteer = await aPerson(app, { schools: [school] });
  await anEntry(app, { by: volunteer, activity, hours: 1.5 });
  send = async (width) => {
    const files = [{ name: 'fair.jpg', content: await phonePhoto(width, 50) }];
    return (await upload(app, { by: volunteer, to: activity, files })).status;
  };
  expect(await send(60)).toBe(201);
});

test('a district with photos in a bucket is backed up to a second bucket, and restored into a third', async () => {
  const to = await aBucket('whole');
  const first = await backup(to);
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toMatch(/and 3 photo files to s3:\/\/whole\/some\/prefix\/[-\dTZ]+\n$/);
  expect(readdirSync(app.dataDir).filter((name) => name.startsWith('backing-up-'))).toEqual([]);
  const [place, photos] = [await emptyPlace(), await objects.bucket('photos-restored')];
  const restored = await runCommand('restore', place, ['--from', to], { PHOTO_STORE_URL: photos });
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  expect(restored.stdout).toContain('Restored 1 time entries and 3 photo files');
  // The start that checks the restore makes what the photo has for screens.
  const kept = (await keysIn(photos, '')).filter((key) => !key.endsWith('.avif'));
  expect(kept).toHaveLength(PHOTO_FILES);
});

test('backups in a bucket share each photo, and removing the last one deletes it', async () => {
  const to = await aBucket('shared');
  await backup(to);
  const before = await keysIn(to, 'some/prefix/photos/');
  expect(await send(90)).toBe(201);
  await backup(to);
  const both = await keysIn(to, 'some/prefix/photos/');
  expect([both.length > before.length, before.every((key) => both.includes(key))]).toEqual([true, true]);
  const depot = await openBackupStorage(to, app.dataDir);
  atEnd(() => depot.close());
  const [first, second] = await depot.backups();
  if (first === undefined || second === undefined) throw new Error('two backups were made');

  await depot.remove([second]);
  expect((await depot.backups()).map(({ folder }) => folder)).toEqual([first.folder]);
  expect(await keysIn(to, 'some/prefix/photos/')).toEqual(before);
  // By the address of the backup itself.
  const itself = to.replace('some/prefix', `some/prefix/${first.folder.split('/').at(-1)}`);
  const restored = await runCommand('restore', await emptyPlace(), ['--from', itself]);
  expect(restored).toMatchObject({ code: 0, stderr: '' });
  // Noted beside all backups, where the running district looks.
  expect(await depot.readNote('restored.json')).toContain(`"takenAt":"${first.manifest.takenAt}"`);

  await depot.remove([first]);
  expect(await keysIn(to, '')).toEqual(['some/prefix/restored.json']);
});

test('a user deleted after the backup stays deleted after a restore from the bucket', async () => {
  const to = await aBucket('erased');
  const own = await startApp({ BACKUP_TO: to });
  const [{ token }, ann] = [
    await anAdministrator(own),
    await aPerson(own, { schools: [await aSchool(own)] }),
  ];
  expect((await runCommand('backup', own, ['--to', to])).code).toBe(0);
  expect((await own.call(`POST /api/admin/users/${ann.id}/erase`, { token })).status).toBe(200);
  const depot = await openBackupStorage(to, own.dataDir);
  atEnd(() => depot.close());
  const [made] = await depot.backups();
  const itself = to.replace('some/prefix', `some/prefix/${made?.folder.split('/').at(-1)}`);
  const { stdout } = await runCommand('restore', await emptyPlace(), ['--from', itself]);
  expect(stdout).toContain('People who were deleted after that time and have been deleted again: 1\n');
  // It outlives every backup.
  await depot.remove(await depot.backups());
  expect(await keysIn(to, '')).toEqual(['some/prefix/erased.txt', 'some/prefix/restored.json']);
});

test('removing backups during another one deletes no photo, and an incomplete backup is ignored', async () => {
  const to = await aBucket('begun');
  await backup(to);
  const depot = await openBackupStorage(to, app.dataDir);
  atEnd(() => depot.close());
  const before = await keysIn(to, 'some/prefix/photos/');
  const filling = await depot.begin(app.clock.now());
  const whole = await depot.backups();
  expect(whole).toHaveLength(1);
  await depot.remove(whole);
  expect(await keysIn(to, 'some/prefix/photos/')).toEqual(before);
  await filling.discard();
  expect((await runCommand('restore', await emptyPlace(), ['--from', to])).stderr).toBe(
    'Nothing was restored. s3://begun/some/prefix contains no complete backup\n',
  );
});

test('an unusable bucket is reported in one line, without its key', async () => {
  const wrong = `${objects.address('nowhere', 'wrong-secret')}`.replace('nowhere?', 'nowhere/prefix?');
  for (const said of [
    await backup(wrong),
    await runCommand('restore', await emptyPlace(), ['--from', wrong]),
  ]) {
    expect(said.code).toBe(1);
    expect(said.stderr).toMatch(
      /^(No backup was made|Nothing was restored)\. The bucket nowhere cannot be used \(\w+\)\n$/,
    );
    expect(said.stderr + said.stdout).not.toContain('wrong-secret');
  }
});

test('a file larger than one upload part is read back unchanged from a bucket', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-part-'));
  atEnd(() => rmSync(folder, { recursive: true }));
  const bucket = openBucket(await objects.bucket('large'), 5 * 2 ** 20);
  atEnd(() => bucket.close());
  const content = Buffer.from(Array.from({ length: 12 * 2 ** 20 }, (_, i) => (i * 7) % 251));
  writeFileSync(join(folder, 'large'), content);
  await bucket.putFile('a/large', join(folder, 'large'));
  const found = await bucket.read('a/large');
  const copy = found && (await buffer(found.content));
  expect(copy?.equals(readFileSync(join(folder, 'large')))).toBe(true);
});

function backup(to: string) {
  return runCommand('backup', app, ['--to', to], { PHOTO_STORE_URL: photoStore });
}

async function aBucket(name: string): Promise<string> {
  return (await objects.bucket(name)).replace(`@${name}?`, `@${name}/some/prefix?`);
}

async function keysIn(address: string, prefix: string): Promise<string[]> {
  const bucket = openBucket(address);
  const keys: string[] = [];
  for await (const { key } of bucket.list(prefix)) keys.push(key);
  bucket.close();
  return keys.toSorted();
}
