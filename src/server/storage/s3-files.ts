import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { withErrorListener } from '../process/error-listener.ts';
import { type FileEntry, type FileStorage, requireFileName } from './file-storage.ts';
import { connectToBucket } from './s3-bucket.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Photo storage in a bucket; see `connectToBucket` for the address. Calls throw 503 when the bucket cannot be
 * reached.
 */
export function openS3Storage(address: string): FileStorage {
  const { bucket, client } = connectToBucket(address);
  const at = (name: string) => ({ Bucket: bucket, Key: requireFileName(name) });
  return {
    put: async (name, path) => {
      // Buffered, because a stream could not be sent again in a retry; images are a few megabytes.
      await client
        .send(new PutObjectCommand({ ...at(name), Body: await readFile(path) }))
        .catch(throwUnavailable);
    },
    read: async (name) => {
      const found = await client.send(new GetObjectCommand(at(name))).catch(undefinedIfMissing);
      if (!(found?.Body instanceof Readable)) return undefined;
      return { content: withErrorListener(found.Body), bytes: found.ContentLength ?? 0 };
    },
    remove: async (name) => {
      await client.send(new DeleteObjectCommand(at(name))).catch(undefinedIfMissing);
    },
    list: () => listFiles(client, bucket),
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch(throwUnavailable);
    },
    close: () => client.destroy(),
  };
}

async function* listFiles(client: S3Client, bucket: string): AsyncGenerator<FileEntry> {
  let token: string | undefined;
  do {
    const page = await client
      .send(
        new ListObjectsV2Command({
          Bucket: bucket,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      )
      .catch(throwUnavailable);
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined) yield { name: Key, at: LastModified?.getTime() ?? 0 };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

function undefinedIfMissing(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
  return throwUnavailable(error);
}

// The error's message may contain the address and its key, so use only the error's name.
function throwUnavailable(error: unknown): never {
  const reason = error instanceof Error ? error.name : 'unknown';
  throw Object.assign(errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS), { reason });
}
