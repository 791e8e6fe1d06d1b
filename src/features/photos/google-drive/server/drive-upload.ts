import { createHash } from 'node:crypto';
import type { Deps } from '#server/deps.ts';
import { seal } from '#server/secrets.ts';
import type { FileStorage } from '#server/storage/file-storage.ts';
import { fileOfSize } from '../../server/photo-files.ts';
import { unsealIfReadable } from './connection.ts';
import {
  CHUNK_BYTES,
  type Drive,
  type NewFile,
  SINGLE_REQUEST_BYTES,
  type UploadProgress,
} from './drive-client.ts';
import { saveUploadSession } from './file-store.ts';
import { DriveFailure } from './google-errors.ts';
import type { PhotoToCopy } from './sync-queue-store.ts';

/** The photo's file is missing from storage, or damaged. */
export class PhotoFileMissing extends Error {}

/** A stored file, opened but not read yet. The caller closes it. */
export type OpenFile = Readonly<{
  bytes: number;
  chunks: (size: number) => AsyncIterable<Buffer>;
  close: () => void;
}>;

/**
 * Opens the largest size of a photo. Yields chunks of the given size; the last one may be shorter. Yields the last chunk only
 * if the SHA-256 of the whole file is correct, so that a damaged file is never completed in Drive.
 */
export async function openPhotoFile(
  files: FileStorage,
  { storageKey, sha256 }: { storageKey: string; sha256: string },
): Promise<OpenFile> {
  const stored = await files.read(fileOfSize(storageKey, 'full'));
  if (stored === undefined) throw new PhotoFileMissing('not in the store');
  const { content, bytes } = stored;
  return {
    bytes,
    close: () => content.destroy(),
    chunks: async function* (size) {
      const hash = createHash('sha256');
      let unsent: Buffer[] = [];
      let [bufferedBytes, yieldedBytes] = [0, 0];
      for await (const chunk of content) {
        hash.update(chunk);
        unsent.push(chunk);
        bufferedBytes += chunk.length;
        while (bufferedBytes >= size && yieldedBytes + size < bytes) {
          const all = Buffer.concat(unsent);
          yield all.subarray(0, size);
          unsent = [all.subarray(size)];
          bufferedBytes -= size;
          yieldedBytes += size;
        }
      }
      if (yieldedBytes + bufferedBytes !== bytes || hash.digest('hex') !== sha256) {
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

const SESSION_PURPOSE = 'drive-upload';
const MAX_STALLED_TRIES = 8;

/** A photo to store in Drive. `session` is set if some chunks may have been stored already. */
export type Upload = Readonly<{ photo: PhotoToCopy; file: NewFile; session: string | null }>;

/**
 * Stores a photo in Drive. Throws the `DriveFailure` `taken` if a file with its id exists. Sends large photos in chunks, and
 * continues after a restart.
 */
export async function uploadPhoto(deps: Deps, drive: Drive, upload: Upload): Promise<void> {
  const bytes = await withOpenFile(deps, upload, async (file) => {
    if (file.bytes > SINGLE_REQUEST_BYTES) return file.bytes;
    for await (const content of file.chunks(SINGLE_REQUEST_BYTES + 1))
      await drive.uploadWhole(upload.file, content);
    return undefined;
  });
  if (bytes !== undefined) await uploadInChunks(deps, drive, upload, bytes);
}

async function uploadInChunks(deps: Deps, drive: Drive, upload: Upload, total: number): Promise<void> {
  let session = unsealIfReadable(deps, SESSION_PURPOSE, upload.session);
  let received = session === undefined ? undefined : await findReceivedBytes(drive, session, total);
  for (let tries = 0; tries < MAX_STALLED_TRIES; tries += 1) {
    if (received === total) return;
    if (session === undefined || received === undefined) {
      session = await drive.startUpload(upload.file, total);
      await saveUploadSession(
        deps.database.db,
        upload.photo.id,
        seal(deps.secretKey, SESSION_PURPOSE, session),
      );
      received = 0;
    }
    const [uploadSession, from]: [string, number] = [session, received];
    const isDone = await withOpenFile(deps, upload, (file) => sendFrom(drive, uploadSession, file, from));
    if (isDone) return;
    received = await findReceivedBytes(drive, session, total);
    // A chunk that was accepted resets the attempts.
    if (received !== undefined && received > from) tries = 0;
  }
  throw new DriveFailure('unreachable', 'an upload without progress');
}

async function withOpenFile<Result>(
  deps: Deps,
  { photo }: Upload,
  use: (file: OpenFile) => Promise<Result>,
): Promise<Result> {
  const file = await openPhotoFile(deps.files, photo);
  try {
    return await use(file);
  } finally {
    file.close();
  }
}

// Sends the rest of the photo. Returns false if it is unclear how much Google received.
async function sendFrom(drive: Drive, session: string, file: OpenFile, received: number): Promise<boolean> {
  let from = 0;
  for await (const content of file.chunks(CHUNK_BYTES)) {
    const end = from + content.length;
    if (end > received) {
      // Google may have stored only part of a chunk.
      const rest = content.subarray(Math.max(0, received - from));
      const progress = await sendChunk(drive, session, {
        from: end - rest.length,
        content: rest,
        total: file.bytes,
      });
      if (progress === undefined) return false;
      if (progress.isDone) return true;
      if (progress.received !== end) return false;
    }
    from = end;
  }
  return false;
}

async function sendChunk(
  drive: Drive,
  session: string,
  chunk: { from: number; content: Buffer; total: number },
): Promise<UploadProgress | undefined> {
  try {
    return await drive.sendChunk(session, chunk);
  } catch (error) {
    // The next request finds out how much was received, and waits as long as Google requires.
    if (error instanceof DriveFailure && (error.isTemporary || error.kind === 'gone')) return undefined;
    throw error;
  }
}

// Returns undefined if the upload session is unknown or over a week old.
async function findReceivedBytes(drive: Drive, session: string, total: number): Promise<number | undefined> {
  try {
    return (await drive.getUploadProgress(session, total)).received;
  } catch (error) {
    if (error instanceof DriveFailure && (error.kind === 'gone' || error.kind === 'unexpected'))
      return undefined;
    throw error;
  }
}
