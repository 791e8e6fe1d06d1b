import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { instantOf } from '#shared/calendar-date.ts';
import { atEnd } from '#test/after-each-file.ts';
import { baseFolder } from '#test/temp-folders.ts';
import { type Backup, verifyFiles } from './manifest.ts';

const CONTENT = 'what was stored';
const sha256 = createHash('sha256').update(CONTENT).digest('hex');

/** A backup of three files, each with the same content, and a folder beside it. */
function aBackup() {
  const place = mkdtempSync(join(baseFolder(), 'manifest-'));
  atEnd(() => rmSync(place, { recursive: true, force: true }));
  const [folder, outside] = [join(place, 'backup'), join(place, 'outside')];
  for (const made of [join(folder, 'photos'), outside]) mkdirSync(made, { recursive: true });
  const names = ['database.sqlite', 'secret.key', 'photos/one'];
  for (const name of names) writeFileSync(join(folder, name), CONTENT);
  for (const name of ['secret.key', 'one']) writeFileSync(join(outside, name), CONTENT);
  const files = names.map((name) => ({ name, bytes: CONTENT.length, sha256 }));
  const manifest: Backup['manifest'] = {
    format: 1,
    takenAt: instantOf(0),
    program: '1.0.0',
    node: '24.0.0',
    encryptedTo: null,
    secretKey: { from: 'file', fingerprint: sha256 },
    database: { engine: 'sqlite', file: 'database.sqlite', migration: '0001', rows: {}, liveHundredths: 0 },
    photos: { files: 1, bytes: 1, missing: [] },
    files,
  };
  return { folder, outside, manifest };
}

test('verifyFiles accepts a backup whose folder is reached through a symbolic link', async () => {
  const { folder, outside, manifest } = aBackup();
  await expect(verifyFiles({ folder, manifest })).resolves.toBeUndefined();
  symlinkSync(folder, join(outside, 'by-link'));
  await expect(verifyFiles({ folder: join(outside, 'by-link'), manifest })).resolves.toBeUndefined();
});

test.each([
  ['a file', 'secret.key', 'secret.key'],
  ['a folder', 'photos', 'photos/one'],
])('verifyFiles rejects a backup in which %s is a symbolic link', async (_, linked, named) => {
  const { folder, outside, manifest } = aBackup();
  rmSync(join(folder, linked), { recursive: true });
  symlinkSync(linked === 'photos' ? outside : join(outside, linked), join(folder, linked));
  await expect(verifyFiles({ folder, manifest })).rejects.toThrow(
    `The backup is damaged: ${named} is a symbolic link`,
  );
});

test.each(['database.sqlite', 'secret.key'])(
  'verifyFiles rejects a backup whose manifest does not list %s',
  async (name) => {
    const { folder, manifest } = aBackup();
    const files = manifest.files.filter((file) => file.name !== name);
    await expect(verifyFiles({ folder, manifest: { ...manifest, files } })).rejects.toThrow(
      `The backup is damaged: ${name} is not listed`,
    );
  },
);
