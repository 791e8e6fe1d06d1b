// npm run photos -- scrub | move disk s3 [--remove] | move s3 disk [--remove]. Settings as for `npm start`.
import { movePhotos, type StorageFinding, scrub } from '#features/photos/server/storage-check.ts';
import { ConfigError } from '#server/config.ts';
import { systemClock } from '#server/deps.ts';
import type { FileStorage } from '#server/storage/file-storage.ts';
import { openFileStorage, openPhotoFolder } from '#server/storage/open-file-storage.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import { runOnDatabase } from './database-command.ts';

const usage = 'Usage: npm run photos -- scrub | move disk s3 [--remove] | move s3 disk [--remove]';
/** Files younger than this may belong to an upload in progress. */
const YOUNG_MS = 3_600_000;

const FINDINGS = {
  missing: 'is missing',
  damaged: 'is damaged',
  stray: 'belongs to no photo',
} as const;

const [command, ...rest] = process.argv.slice(2);
const direction = rest.filter((word) => word !== '--remove').join(' ');
const isScrub = command === 'scrub' && rest.length === 0;
const isMove = command === 'move' && ['disk s3', 's3 disk'].includes(direction);

await runOnDatabase({ isValid: isScrub || isMove, usage }, async ({ db }, config) => {
  if (isMove && config.photoStoreUrl === undefined) {
    throw new ConfigError('PHOTO_STORE_URL: must be set to move photos in either direction');
  }
  const [disk, configured] = [openPhotoFolder(config), await openFileStorage(config)];
  try {
    if (isScrub) return await check(db, configured);
    const [from, to] = direction === 'disk s3' ? [disk, configured] : [configured, disk];
    const options = { workFolder: config.dataDir, remove: rest.includes('--remove') };
    return await move(db, from, to, options);
  } finally {
    disk.close();
    configured.close();
  }
});

async function check(db: Parameters<typeof scrub>[0], store: FileStorage): Promise<number> {
  const found: StorageFinding[] = [];
  for await (const finding of scrub(db, store, millisecondsOf(systemClock.now()) - YOUNG_MS)) {
    print(finding);
    found.push(finding);
  }
  console.log(
    found.length === 0 ? 'Every photo has its files, and there are no extra files' : `${found.length} found`,
  );
  return found.some(({ kind }) => kind !== 'stray') ? 1 : 0;
}

async function move(
  db: Parameters<typeof scrub>[0],
  from: FileStorage,
  to: FileStorage,
  options: { workFolder: string; remove: boolean },
): Promise<number> {
  const { copied, present, findings } = await movePhotos(db, from, to, options);
  for (const finding of findings) print(finding);
  console.log(
    `${copied} files copied, ${present} were already there, ${findings.length} could not be copied`,
  );
  return findings.length === 0 ? 0 : 1;
}

function print({ kind, name, photoId }: StorageFinding): void {
  console.log(`${name} ${FINDINGS[kind]}${photoId === null ? '' : ` (photo ${photoId})`}`);
}
