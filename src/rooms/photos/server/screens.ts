import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { inWorkFolder } from '#server/http/multipart.ts';
import { type SteadyWork, steadyWork } from '#server/steady-work.ts';
import { fileName, KEPT, LATER, removeFiles, uploadDue } from './files.ts';
import { forgetLeftovers, renewLeftover } from './leftover-store.ts';
import { holdPhoto, insertScreens, nextWithoutScreens } from './store.ts';

type Unmade = Readonly<{ id: number; storageKey: string }>;

/**
 * Makes what photos have for screens, the latest photo first, until stopped. An upload does not wait for it: as AVIF a
 * picture takes ten times as long as as JPEG.
 */
export function startScreens(deps: Deps): SteadyWork {
  // What cannot be made, such as of a damaged file, is tried again by the next start.
  const failed = new Set<number>();
  return steadyWork(deps, 'pictures for screens were held up', (signal) =>
    makeScreens(deps, { signal, failed }),
  );
}

/** Makes what every photo lacks for screens, in the trash or not, and leaves out those that fail. */
export async function makeScreens(
  deps: Deps,
  { signal, failed = new Set() }: { signal?: AbortSignal; failed?: Set<number> } = {},
): Promise<void> {
  while (signal?.aborted !== true) {
    const photo = await nextWithoutScreens(deps.database.db, [...failed]);
    if (photo === undefined) return;
    const isMade = await makeOne(deps, photo).catch((error: unknown) => {
      deps.log.warn({ err: error, photo: photo.id }, 'no pictures for screens could be made of a photo');
      return false;
    });
    if (!isMade) failed.add(photo.id);
  }
}

/**
 * The order is that of an upload: make the pictures, note their name, store them, and only then the row. A photo that was
 * deleted meanwhile takes them along.
 */
async function makeOne(deps: Deps, { id, storageKey }: Unmade): Promise<boolean> {
  return inWorkFolder(deps.config.dataDir, async (folder) => {
    const source = join(folder, 'source');
    if (!(await fetchFull(deps, storageKey, source))) return false;
    const orders = LATER.map((kept) => ({
      path: join(folder, fileName(storageKey, kept)),
      format: kept.format,
      width: kept.side,
      height: kept.side,
    }));
    const outcome = await deps.pictures.render({ source, orders });
    if (!outcome.ok) return false;
    const hashes = new Map(LATER.map(({ size }, at) => [size, outcome.made[at]?.sha256 ?? null]));

    const isThere = await transaction(deps.database, async (trx) => {
      if ((await holdPhoto(trx, id)) === undefined) return false;
      await renewLeftover(trx, storageKey, uploadDue(deps.clock.now()));
      return true;
    });
    if (!isThere) return true;
    for (const kept of LATER) {
      const name = fileName(storageKey, kept);
      await deps.files.put(name, join(folder, name));
    }
    const isKept = await transaction(deps.database, async (trx) => {
      if ((await holdPhoto(trx, id)) === undefined) return false;
      await insertScreens(trx, id, { large: hashes.get('large') ?? null, screen: hashes.get('screen') ?? null });
      await forgetLeftovers(trx, [storageKey]);
      return true;
    });
    if (!isKept) await removeFiles(deps.files, [storageKey]);
    return true;
  });
}

async function fetchFull({ files }: Deps, storageKey: string, path: string): Promise<boolean> {
  const full = KEPT.find(({ size }) => size === 'full');
  const stored = full === undefined ? undefined : await files.read(fileName(storageKey, full));
  if (stored === undefined) return false;
  await pipeline(stored.content, createWriteStream(path, { mode: 0o600 }));
  return true;
}
