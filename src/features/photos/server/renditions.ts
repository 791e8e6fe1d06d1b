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
import { DEFERRED_SIZES, fileName, fileOfSize, orphanDueAt, removeFiles } from './photo-files.ts';
import { type Hashes, insertRenditions, lockPhoto, nextPhotoWithoutRenditions } from './store.ts';

type PhotoToRender = Readonly<{ id: number; storageKey: string }>;

/** Failed photos are tried again after this time: storage may have been down, or a damaged file repaired. */
const RETRY_AFTER_MS = 3_600_000;

/** Below this size both formats load fast, so the file sizes are not compared. */
const COMPARE_FROM_BYTES = 50_000;

const SCHEDULE = { everyMs: 1_000, failure: 'could not create screen sizes of photos' };

/** Photos that failed, with the time in milliseconds since 1970. */
type FailedPhotos = Map<number, number>;

/**
 * Creates missing renditions, latest photo first, until stopped. Uploads do not wait for them, because AVIF takes six times as
 * long as JPEG.
 */
export function startRenditions(deps: Deps): BackgroundJob {
  const failed: FailedPhotos = new Map();
  return startBackgroundJob(deps, SCHEDULE, (signal) => makeRenditions(deps, { signal, failed }));
}

/**
 * Creates missing renditions, also of deleted photos, until none is missing or the disk is nearly full. Logs a photo whose file
 * is damaged or missing, and continues. Throws any other failure. A failed photo is in `failed`, which skips it for an hour.
 */
export async function makeRenditions(
  deps: Deps,
  { signal, failed = new Map() }: { signal?: AbortSignal; failed?: FailedPhotos } = {},
): Promise<void> {
  while (signal?.aborted !== true) {
    const now = millisecondsOf(deps.clock.now());
    for (const [id, at] of failed) if (now - at >= RETRY_AFTER_MS) failed.delete(id);
    const photo = await nextPhotoWithoutRenditions(deps.database.db, [...failed.keys()]);
    if (photo === undefined || (await isNearlyFull(deps.config.dataDir))) return;
    failed.set(photo.id, now);
    const reason = await renderPhoto(deps, photo);
    if (reason === undefined) failed.delete(photo.id);
    else deps.log.warn({ photo: photo.id, reason }, 'could not create screen sizes of a photo');
  }
}

// Returns why the renditions cannot be created, or undefined if they were.
async function renderPhoto(deps: Deps, photo: PhotoToRender): Promise<string | undefined> {
  return inWorkFolder(deps.config.dataDir, async (folder) => {
    const source = join(folder, 'source');
    if (!(await fetchFull(deps, photo.storageKey, source))) return 'missing';
    const jobs = DEFERRED_SIZES.map((stored) => ({
      path: join(folder, fileName(photo.storageKey, stored)),
      format: stored.format,
      width: stored.side,
      height: stored.side,
    }));
    const outcome = await deps.imageWorkers.render({ source, orders: jobs });
    if (!outcome.ok) return outcome.reason;
    const hashOf = (size: Size) =>
      outcome.made[DEFERRED_SIZES.findIndex((stored) => stored.size === size)]?.sha256 ?? null;
    const large = (await isLighter(deps, photo.storageKey, folder)) ? hashOf('large') : null;
    await storeRenditions(deps, photo, folder, { large, screen: hashOf('screen') });
    return undefined;
  });
}

/**
 * Stores renditions in the same order as an upload: records the key, stores the files, then updates the row. If the photo was
 * deleted meanwhile, its files are removed with it.
 */
async function storeRenditions(
  deps: Deps,
  { id, storageKey }: PhotoToRender,
  folder: string,
  hashes: Pick<Hashes, 'large' | 'screen'>,
): Promise<void> {
  const whilePhotoExists = (run: (trx: Trx) => Promise<void>) =>
    transaction(deps.database, async (trx) => {
      if ((await lockPhoto(trx, id)) === undefined) return false;
      await run(trx);
      return true;
    });
  const due = orphanDueAt(deps.clock.now());
  if (!(await whilePhotoExists((trx) => insertOrphanedFiles(trx, [storageKey], due)))) return;
  for (const size of ['large', 'screen'] as const) {
    if (hashes[size] === null) continue;
    const name = fileOfSize(storageKey, size);
    await deps.files.put(name, join(folder, name));
  }
  const isStored = await whilePhotoExists(async (trx) => {
    await insertRenditions(trx, id, hashes);
    await deleteOrphanedFileRows(trx, [storageKey]);
  });
  if (!isStored) await removeFiles(deps.files, [storageKey]);
}

/**
 * Whether to use the AVIF: it is smaller than the JPEG, or the JPEG is too small to compare. A grainy image can be larger as
 * AVIF.
 */
async function isLighter({ files }: Deps, storageKey: string, folder: string): Promise<boolean> {
  const jpeg = await files.read(fileOfSize(storageKey, 'view'));
  jpeg?.content.destroy();
  if (jpeg === undefined || jpeg.bytes < COMPARE_FROM_BYTES) return true;
  return (await stat(join(folder, fileOfSize(storageKey, 'large')))).size < jpeg.bytes;
}

async function fetchFull({ files }: Deps, storageKey: string, path: string): Promise<boolean> {
  const stored = await files.read(fileOfSize(storageKey, 'full'));
  if (stored === undefined) return false;
  await pipeline(stored.content, createWriteStream(path, { mode: 0o600 }));
  return true;
}
