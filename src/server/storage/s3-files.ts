import { readFile } from 'node:fs/promises';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { type FileEntry, type FileStorage, requireFileName } from './file-storage.ts';
import { type Bucket, BucketError, openBucket } from './s3-bucket.ts';

const RETRY_AFTER_SECONDS = 5;

/** Photo storage in a bucket; see `openBucket` for the address. Calls throw 503 when the bucket cannot be reached. */
export function openS3Storage(address: string): FileStorage {
  const bucket = openBucket(address);
  return {
    // One request, because the parts of an interrupted upload would stay in the bucket, where no deletion finds them.
    put: async (name, path) =>
      bucket.put(requireFileName(name), await readFile(path)).catch(throwUnavailable),
    read: async (name) => bucket.read(requireFileName(name)).catch(throwUnavailable),
    remove: async (name) => bucket.remove(requireFileName(name)).catch(throwUnavailable),
    list: () => listFiles(bucket),
    check: () => bucket.check().catch(throwUnavailable),
    close: () => bucket.close(),
  };
}

async function* listFiles(bucket: Bucket): AsyncGenerator<FileEntry> {
  try {
    for await (const { key, at } of bucket.list('')) yield { name: key, at };
  } catch (error) {
    throwUnavailable(error);
  }
}

function throwUnavailable(error: unknown): never {
  if (!(error instanceof BucketError)) throw error;
  throw errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS);
}
