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
import { type FileStore, type Listed, requireFileName } from './file-storage.ts';
import { connectToBucket } from './s3-bucket.ts';

const RETRY_AFTER_SECONDS = 5;

/**
 * Photo storage in a bucket; see `connectToBucket` for the address. Calls throw 503 when the bucket cannot be
 * reached.
 */
export function openS3Store(address: string): FileStore {
  const { bucket, client } = connectToBucket(address);
  const at = (name: string) => ({ Bucket: bucket, Key: requireFileName(name) });
  return {
    put: async (name, path) => {
      // Buffered, because a stream could not be sent again in a retry; images are a few megabytes.
      await client.send(new PutObjectCommand({ ...at(name), Body: await readFile(path) })).catch(unreachable);
    },
    read: async (name) => {
      const found = await client.send(new GetObjectCommand(at(name))).catch(absent);
      if (!(found?.Body instanceof Readable)) return undefined;
      return { content: withErrorListener(found.Body), bytes: found.ContentLength ?? 0 };
    },
    remove: async (name) => {
      await client.send(new DeleteObjectCommand(at(name))).catch(absent);
    },
    list: () => filesIn(client, bucket),
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch(unreachable);
    },
    close: () => client.destroy(),
  };
}

async function* filesIn(client: S3Client, bucket: string): AsyncGenerator<Listed> {
  let token: string | undefined;
  do {
    const page = await client
      .send(
        new ListObjectsV2Command({
          Bucket: bucket,
          ...(token === undefined ? {} : { ContinuationToken: token }),
        }),
      )
      .catch(unreachable);
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined) yield { name: Key, at: LastModified?.getTime() ?? 0 };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

function absent(error: unknown): undefined {
  if (error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404) return undefined;
  return unreachable(error);
}

// The error's message may contain the address and so the key, so keep only its name.
function unreachable(error: unknown): never {
  const reason = error instanceof Error ? error.name : 'unknown';
  throw Object.assign(errors.unavailable(commonMessages.unavailable, RETRY_AFTER_SECONDS), { reason });
}
