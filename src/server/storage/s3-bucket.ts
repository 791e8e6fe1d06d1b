import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { withErrorListener } from '../process/error-listener.ts';
import type { StoredFile } from './file-storage.ts';

const TRIES = 3;
/** Part size for multipart uploads of larger files, in bytes; S3 allows ten thousand parts. */
const PART_BYTES = 16_777_216;

/** A bucket with objects of any size by key. Calls throw `BucketError`. */
export type Bucket = Readonly<{
  put: (key: string, content: Buffer) => Promise<void>;
  putFile: (key: string, path: string) => Promise<void>;
  read: (key: string) => Promise<StoredFile | undefined>;
  remove: (key: string) => Promise<void>;
  /** The keys that start with a prefix, and when each was stored, in milliseconds since 1970. */
  list: (prefix: string) => AsyncIterable<{ key: string; at: number }>;
  check: () => Promise<void>;
  close: () => void;
}>;

/** The error for an unusable bucket. The message leaves out the address, which contains a key. */
export class BucketError extends Error {
  readonly code = 'BUCKET';

  constructor(name: string, cause: unknown) {
    super(`The bucket ${name} cannot be used (${cause instanceof Error ? cause.name : 'unknown'})`);
  }
}

function connectToBucket(address: string): { bucket: string; client: S3Client } {
  const url = new URL(address);
  const endpoint = url.searchParams.get('endpoint');
  const key = decodeURIComponent(url.username);
  const client = new S3Client({
    region: url.searchParams.get('region') ?? 'us-east-1',
    // Object stores other than Amazon's reject checksums sent along with a stream. The database has our own checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: TRIES,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: 60_000 },
    ...(endpoint === null ? {} : { endpoint, forcePathStyle: true }),
    ...(key === ''
      ? {}
      : { credentials: { accessKeyId: key, secretAccessKey: decodeURIComponent(url.password) } }),
  });
  return { bucket: url.hostname, client };
}

/**
 * Opens the bucket of an address: `s3://[key:secret@]bucket?endpoint=https://host&region=name`. Without a key in the address,
 * the usual environment variables apply (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY).
 */
export function openBucket(address: string, partBytes = PART_BYTES): Bucket {
  const { bucket, client } = connectToBucket(address);
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  const failed = throwBucketError(bucket);
  const put = async (key: string, content: Buffer) => {
    await client.send(new PutObjectCommand({ ...at(key), Body: content })).catch(failed);
  };
  return {
    put,
    putFile: async (key, path) => {
      const { size } = await stat(path);
      if (size <= partBytes) await put(key, await readFile(path));
      else await uploadParts(client, at(key), { path, size, partBytes }).catch(failed);
    },
    read: async (key) => {
      const found = await client.send(new GetObjectCommand(at(key))).catch((error: unknown) => {
        if (isAbsent(error)) return undefined;
        return failed(error);
      });
      if (!(found?.Body instanceof Readable)) return undefined;
      return { content: withErrorListener(found.Body), bytes: found.ContentLength ?? 0 };
    },
    remove: async (key) => {
      await client.send(new DeleteObjectCommand(at(key))).catch((error: unknown) => {
        if (!isAbsent(error)) failed(error);
      });
    },
    list: (prefix) => listObjects(client, bucket, prefix),
    check: async () => {
      await client.send(new HeadBucketCommand({ Bucket: bucket })).catch(failed);
    },
    close: () => client.destroy(),
  };
}

function throwBucketError(bucket: string) {
  return (error: unknown): never => {
    throw new BucketError(bucket, error);
  };
}

async function* listObjects(client: S3Client, bucket: string, prefix: string) {
  let token: string | undefined;
  do {
    const more = token === undefined ? {} : { ContinuationToken: token };
    const page = await client
      .send(new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ...more }))
      .catch(throwBucketError(bucket));
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined) yield { key: Key, at: LastModified?.getTime() ?? 0 };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}

async function uploadParts(
  client: S3Client,
  at: { Bucket: string; Key: string },
  { path, size, partBytes }: { path: string; size: number; partBytes: number },
): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(at));
  const Parts: { ETag: string | undefined; PartNumber: number }[] = [];
  try {
    for (let start = 0; start < size; start += partBytes) {
      const PartNumber = Parts.length + 1;
      // Buffered, because a stream could not be sent again in a retry.
      const Body = await buffer(createReadStream(path, { start, end: start + partBytes - 1 }));
      const { ETag } = await client.send(new UploadPartCommand({ ...at, UploadId, PartNumber, Body }));
      Parts.push({ ETag, PartNumber });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...at, UploadId, MultipartUpload: { Parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...at, UploadId })).catch(() => undefined);
    throw error;
  }
}

function isAbsent(error: unknown): boolean {
  return error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;
}
