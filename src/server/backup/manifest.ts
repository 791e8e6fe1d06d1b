import { createHash, hash } from 'node:crypto';
import { createReadStream, existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { Instant } from '#shared/calendar-date.ts';
import { ENCRYPTED } from './file-encryption.ts';

/** The error for an unusable backup. The message explains the reason in one line. */
export class BackupError extends Error {}

/** The file that completes a backup. It is written last. */
export const MANIFEST_FILE = 'manifest.json';

/** The suffix of an unfinished backup's folder. */
export const UNFINISHED = '.unfinished';

const FileName = z.string().check(z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]*(\/[A-Za-z0-9][A-Za-z0-9._-]*)*$/));
const Sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/));

/**
 * The contents of a backup. `files` are all of its files except the manifest, sizes in bytes; `database.rows` is the number of
 * rows by table and `database.liveHundredths` the hours of all live time entries in hundredths. `nightly` backups were made by
 * the server, which removes them when they are old. `districtName` identifies the district for the person who restores.
 * `photos.missing` are photo files that the storage did not have. `encryptedTo` is a public key of age, or null.
 */
export const Manifest = z.object({
  // Format 1 had no checksum of the manifest itself.
  format: z.union([z.literal(1), z.literal(2)]),
  takenAt: Instant,
  program: z.string(),
  nightly: z.optional(z.boolean()),
  node: z.string(),
  encryptedTo: z.nullable(z.string()),
  districtName: z.optional(z.string()),
  secretKey: z.object({ from: z.enum(['file', 'environment']), fingerprint: Sha256 }),
  database: z.object({
    engine: z.enum(['sqlite', 'postgres']),
    file: FileName,
    migration: z.string(),
    rows: z.record(z.string(), z.number()),
    liveHundredths: z.number(),
  }),
  photos: z.object({ files: z.number(), bytes: z.number(), missing: z.array(z.string()) }),
  files: z.array(z.object({ name: FileName, bytes: z.number(), sha256: Sha256 })),
});
export type Manifest = z.infer<typeof Manifest>;

/** A complete backup: its folder and its manifest. */
export type Backup = Readonly<{ folder: string; manifest: Manifest }>;

/** The folder name of a backup. */
export function folderName(moment: Instant): string {
  return moment.replaceAll(/[:.]/g, '-');
}

/** Serializes a manifest; its last line is the SHA-256 of the text before it. */
export function manifestText(manifest: Manifest): string {
  const text = `${JSON.stringify(manifest, null, 1)}\n`;
  return text.replace(/\n\}\n$/, `,\n "checksum": "${hash('sha256', text, 'hex')}"\n}\n`);
}

/**
 * Parses the result of `manifestText`. Throws if a single character was changed. Only manifests of format 1 may lack the
 * checksum.
 */
export function parseManifest(text: string): Manifest {
  const manifest = Manifest.parse(JSON.parse(text));
  const [line = '', checksum] = CHECKSUM.exec(text) ?? [];
  const isWhole = hash('sha256', text.replace(line, '\n}\n'), 'hex') === checksum;
  if (!isWhole && (manifest.format === 2 || line !== ''))
    throw new BackupError('the checksum does not match');
  return manifest;
}

const CHECKSUM = /,\n "checksum": "([0-9a-f]{64})"\n\}\n$/;

/** The complete backups in a folder, oldest first. Damaged and unfinished ones are skipped. */
export function backupsIn(folder: string): Backup[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => !name.endsWith(UNFINISHED) && existsSync(join(folder, name, MANIFEST_FILE)))
    .toSorted()
    .flatMap((name) => {
      try {
        return [readBackup(join(folder, name))];
      } catch {
        return [];
      }
    });
}

/** The backup in a folder. Throws `BackupError` when there is none or its manifest cannot be read. */
export function readBackup(folder: string): Backup {
  const path = join(folder, MANIFEST_FILE);
  if (!existsSync(path))
    throw new BackupError(`${folder} contains no complete backup: ${MANIFEST_FILE} is missing`);
  try {
    return { folder, manifest: parseManifest(readFileSync(path, 'utf8')) };
  } catch {
    throw new BackupError(`${path} is damaged or was not written by this program`);
  }
}

/**
 * Verifies the size and SHA-256 of every file. Throws a `BackupError` that names the first wrong file, or a file outside the
 * backup: a symbolic link would restore an arbitrary local file.
 */
export async function verifyFiles({ folder, manifest }: Backup): Promise<void> {
  const { database, secretKey, encryptedTo, files } = manifest;
  const key = encryptedTo === null ? 'secret.key' : `secret.key${ENCRYPTED}`;
  for (const needed of [database.file, ...(secretKey.from === 'file' ? [key] : [])]) {
    // A file that is not listed would be restored without verification.
    if (files.some(({ name }) => name === needed)) continue;
    throw new BackupError(`The backup is damaged: ${needed} is not listed`);
  }
  const real = realpathSync(folder);
  for (const { name, bytes, sha256 } of files) {
    const path = join(folder, name);
    // A link may point to any file of this machine.
    if (existsSync(path) && realpathSync(path) !== join(real, name))
      throw new BackupError(`The backup is damaged: ${name} is a symbolic link`);
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) throw new BackupError(`The backup is damaged: ${name} is missing`);
    if (found.size !== bytes || (await sha256Of(path)) !== sha256) {
      throw new BackupError(`The backup is damaged: ${name} has changed`);
    }
  }
}

/** The SHA-256 of a file, in hex. */
export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
