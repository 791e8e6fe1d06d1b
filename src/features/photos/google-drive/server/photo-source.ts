import { createHash } from 'node:crypto';
import type { FileStore } from '#server/storage/file-storage.ts';
import { fileName, KEPT } from '../../server/photo-files.ts';

/** The picture is not in the store, or not what was stored there. */
export class PhotoFileMissing extends Error {}

/** A stored picture, opened but not read yet. Whoever opens it closes it. */
export type Picture = Readonly<{
  bytes: number;
  pieces: (size: number) => AsyncIterable<Buffer>;
  close: () => void;
}>;

/**
 * Opens the largest size of a photo. The pieces come one by one, all but the last of the size asked for. The
 * last piece comes only when the SHA-256 of the whole is right, so that a damaged picture is never completed in
 * Drive.
 */
export async function openPhotoFile(
  files: FileStore,
  { storageKey, sha256 }: { storageKey: string; sha256: string },
): Promise<Picture> {
  const full = KEPT.find(({ size }) => size === 'full');
  const stored = full === undefined ? undefined : await files.read(fileName(storageKey, full));
  if (stored === undefined) throw new PhotoFileMissing('not in the store');
  const { content, bytes } = stored;
  return {
    bytes,
    close: () => content.destroy(),
    pieces: async function* (size) {
      const hash = createHash('sha256');
      let unsent: Buffer[] = [];
      let [heldBytes, passed] = [0, 0];
      for await (const chunk of content) {
        hash.update(chunk);
        unsent.push(chunk);
        heldBytes += chunk.length;
        while (heldBytes >= size && passed + size < bytes) {
          const all = Buffer.concat(unsent);
          yield all.subarray(0, size);
          unsent = [all.subarray(size)];
          heldBytes -= size;
          passed += size;
        }
      }
      if (passed + heldBytes !== bytes || hash.digest('hex') !== sha256) {
        throw new PhotoFileMissing('damaged in the store');
      }
      yield Buffer.concat(unsent);
    },
  };
}

/** The name of a photo's file in Drive: the uploaded file's name, ending in .jpg. */
export function drivePhotoName(originalName: string): string {
  return `${originalName.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'photo'}.jpg`;
}
