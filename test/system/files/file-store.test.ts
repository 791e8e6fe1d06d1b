import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { beforeAll, describe, expect, test } from 'vitest';
import { openDiskStorage } from '#server/storage/disk-files.ts';
import type { FileStorage } from '#server/storage/file-storage.ts';
import { openS3Storage } from '#server/storage/s3-files.ts';
import { atEnd } from '#test/harness.ts';
import { startObjectStore } from '#test/object-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'file-store-'));
atEnd(() => rmSync(folder, { recursive: true }));

let objects: Awaited<ReturnType<typeof startObjectStore>>;
beforeAll(async () => {
  objects = await startObjectStore();
});

let files = 0;
/** A local file for a store to take. */
function aFile(content: Buffer): string {
  const path = join(folder, `file-${++files}`);
  writeFileSync(path, content);
  return path;
}

const name = (start: string) => `${start.padEnd(32, '0')}-full.jpg`;

async function contentOf(store: FileStorage, of: string): Promise<Buffer | undefined> {
  const file = await store.read(of);
  if (file === undefined) return undefined;
  const content = await buffer(file.content);
  expect(content.length).toBe(file.bytes);
  return content;
}

async function namesIn(store: FileStorage): Promise<string[]> {
  const names: string[] = [];
  for await (const listed of store.list()) names.push(listed.name);
  return names.sort();
}

describe.each([
  ['a folder', async () => openDiskStorage(join(folder, `store-${++files}`))],
  ['a bucket', async () => openS3Storage(await objects.bucket(`store-${++files}`))],
])('%s', (_kind, open) => {
  let store: FileStorage;
  beforeAll(async () => {
    store = await open();
    atEnd(() => store.close());
  });

  test('returns the bytes that were stored', async () => {
    const content = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i) % 256));
    await store.put(name('whole'), aFile(content));
    expect((await contentOf(store, name('whole')))?.equals(content)).toBe(true);
  });

  test('returns nothing for an unknown file, and ignores its removal', async () => {
    expect(await store.read(name('nothing'))).toBe(undefined);
    await store.remove(name('nothing'));
  });

  test('lists all files that were not removed, with their age', async () => {
    await store.put(name('gone'), aFile(Buffer.from('gone')));
    await store.put(name('kept'), aFile(Buffer.from('kept')));
    await store.remove(name('gone'));
    expect(await store.read(name('gone'))).toBe(undefined);
    expect(await namesIn(store)).toEqual(expect.arrayContaining([name('kept')]));
    expect(await namesIn(store)).not.toContain(name('gone'));
    for await (const { at } of store.list()) expect(Math.abs(Date.now() - at)).toBeLessThan(600_000);
  });

  test.each([
    '../../etc/passwd',
    'photo.jpg/../../x.jpg',
    '/etc/passwd',
    '',
    'A.JPG',
    `${'a'.repeat(99)}.jpg`,
  ])('rejects a name such as %j', async (bad) => {
    await expect((async () => store.read(bad))()).rejects.toThrow('not the name of a stored file');
    await expect((async () => store.put(bad, aFile(Buffer.from('x'))))()).rejects.toThrow();
  });

  test('passes its availability check', async () => {
    await store.check();
  });
});

test('a folder without stored files is empty', async () => {
  expect(await namesIn(openDiskStorage(join(folder, 'never')))).toEqual([]);
});

test('a folder replaces an incomplete file of an earlier start', async () => {
  const place = join(folder, 'half');
  mkdirSync(join(place, 'ab'), { recursive: true });
  writeFileSync(join(place, 'ab', name('ab')), 'half');
  const store = openDiskStorage(place);
  await store.put(name('ab'), aFile(Buffer.from('whole')));
  expect((await contentOf(store, name('ab')))?.toString()).toBe('whole');
});

test.each([
  ['with a wrong secret', () => objects.address('store-1', 'apricot')],
  ['that does not exist', () => objects.address('no-such-bucket')],
  ['whose server does not answer', () => 's3://a:b@photos?endpoint=http%3A%2F%2F127.0.0.1%3A9'],
])('a bucket %s is unavailable, and the error names no secret', async (_name, address) => {
  const store = openS3Storage(address());
  for (const attempt of [() => store.check(), () => store.put(name('x'), aFile(Buffer.from('x')))]) {
    const error = await attempt().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ kind: 'unavailable' });
    expect(JSON.stringify(error)).not.toMatch(/apricot|plum/);
  }
  store.close();
});
