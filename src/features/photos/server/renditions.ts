import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { inWorkFolder, isNearlyFull } from '#server/http/multipart.ts';
import { type BackgroundJob, startBackgroundJob } from '#server/jobs/background-job.ts';
import { millisecondsOf } from '#shared/calendar-date.ts';
import type { Size } from '../contract.ts';
import { deleteOrphanedFileRows, insertOrphanedFiles } from './orphaned-files-store.ts';
import { fileName, fileOfSize, LATER, removeFiles, uploadDue } from './photo-files.ts';
import { type Hashes, insertRenditions, lockPhoto, nextPhotoWithoutRenditions } from './store.ts';

type Unmade = Readonly<{ id: number; storageKey: string }>;

/** What failed is tried again after so long: the store may have been away, or a damaged file was put right. */
const AGAIN_AFTER_MS = 3_600_000;

/** What weighs less is loaded at once either way. */
const WEIGHED_FROM_BYTES = 50_000;

/** Photos that failed, each with when, in milliseconds since 1970. */
type Failed = Map<number, number>;

/**
 * Makes what photos have for screens, the latest photo first, until stopped. An upload does not wait for it: AVIF
 * takes six times as long as JPEG.
 */
export function startRenditions(deps: Deps): BackgroundJob {
  const failed: Failed = new Map();
  return startBackgroundJob(deps, 'pictures for screens were held up', (signal) =>
    makeRenditions(deps, { signal, failed }),
  );
}

/**
 * Makes what every photo lacks for screens, in the trash or not, as long as there is room on the disk. A photo whose file is
 * damaged or missing is left out; any other failure is thrown, and that photo is left out of the next calls. Both for an hour.
 */
export async function makeRenditions(
  deps: Deps,
  { signal, failed = new Map() }: { signal?: AbortSignal; failed?: Failed } = {},
): Promise<void> {
  while (signal?.aborted !== true) {
    const now = millisecondsOf(deps.clock.now());
    for (const [id, at] of failed) if (now - at >= AGAIN_AFTER_MS) failed.delete(id);
    const photo = await nextPhotoWithoutRenditions(deps.database.db, [...failed.keys()]);
    if (photo === undefined || (await isNearlyFull(deps.config.dataDir))) return;
    failed.set(photo.id, now);
    const reason = await makeOne(deps, photo);
    if (reason === undefined) failed.delete(photo.id);
    else deps.log.warn({ photo: photo.id, reason }, 'no pictures for screens could be made of a photo');
  }
}

// Why it cannot be made, if so.
async function makeOne(deps: Deps, photo: Unmade): Promise<string | undefined> {
  return inWorkFolder(deps.config.dataDir, async (folder) => {
    const source = join(folder, 'source');
    if (!(await fetchFull(deps, photo.storageKey, source))) return 'missing';
    const orders = LATER.map((kept) => ({
      path: join(folder, fileName(photo.storageKey, kept)),
      format: kept.format,
      width: kept.side,
      height: kept.side,
    }));
    const outcome = await deps.pictures.render({ source, orders });
    if (!outcome.ok) return outcome.reason;
    const hashOf = (size: Size) =>
      outcome.made[LATER.findIndex((kept) => kept.size === size)]?.sha256 ?? null;
    const large = (await isLighter(deps, photo.storageKey, folder)) ? hashOf('large') : null;
    await keep(deps, photo, folder, { large, screen: hashOf('screen') });
    return undefined;
  });
}

/**
 * The order is that of an upload: note the name, store the files, and only then the row. A photo that was deleted meanwhile
 * takes them along.
 */
async function keep(
  deps: Deps,
  { id, storageKey }: Unmade,
  folder: string,
  hashes: Pick<Hashes, 'large' | 'screen'>,
): Promise<void> {
  const whileThere = (run: (trx: Trx) => Promise<void>) =>
    transaction(deps.database, async (trx) => {
      if ((await lockPhoto(trx, id)) === undefined) return false;
      await run(trx);
      return true;
    });
  const due = uploadDue(deps.clock.now());
  if (!(await whileThere((trx) => insertOrphanedFiles(trx, [storageKey], due)))) return;
  for (const size of ['large', 'screen'] as const) {
    if (hashes[size] === null) continue;
    const name = fileOfSize(storageKey, size);
    await deps.files.put(name, join(folder, name));
  }
  const isKept = await whileThere(async (trx) => {
    await insertRenditions(trx, id, hashes);
    await deleteOrphanedFileRows(trx, [storageKey]);
  });
  if (!isKept) await removeFiles(deps.files, [storageKey]);
}

/** A grainy picture can weigh more as AVIF than as the JPEG that it has in the same size, which is shown then. */
async function isLighter({ files }: Deps, storageKey: string, folder: string): Promise<boolean> {
  const jpeg = await files.read(fileOfSize(storageKey, 'view'));
  jpeg?.content.destroy();
  if (jpeg === undefined || jpeg.bytes < WEIGHED_FROM_BYTES) return true;
  return (await stat(join(folder, fileOfSize(storageKey, 'large')))).size < jpeg.bytes;
}

async function fetchFull({ files }: Deps, storageKey: string, path: string): Promise<boolean> {
  const stored = await files.read(fileOfSize(storageKey, 'full'));
  if (stored === undefined) return false;
  await pipeline(stored.content, createWriteStream(path, { mode: 0o600 }));
  return true;
}
