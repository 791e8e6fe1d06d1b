import { spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SYSTEM_PYTHON } from '../scripts/programs.mjs';
import { atEnd } from './harness.ts';

const KEY = { accessKeyId: 'test:volunteer', secretAccessKey: 'plum' };
const PROGRAM = join(import.meta.dirname, 'object-store.py');

/** Starts a real object store (Debian's Swift with its S3 API) until the end of the test file. */
export async function startObjectStore() {
  const folder = mkdtempSync(join(tmpdir(), 'vtt-swift-'));
  const [, user = ''] = KEY.accessKeyId.split(':');
  const child = spawn(SYSTEM_PYTHON, [PROGRAM, folder, user, KEY.secretAccessKey], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  atEnd(() => {
    child.stdin.end();
    return ended;
  });
  const endpoint = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()));
    child.once('error', reject);
    child.once('close', () =>
      reject(new Error('Swift did not start. On Debian: apt-get install swift-proxy')),
    );
  });
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials: KEY });
  atEnd(() => client.destroy());
  const address = (bucket: string, secret = KEY.secretAccessKey) =>
    `s3://${encodeURIComponent(KEY.accessKeyId)}:${secret}@${bucket}?endpoint=${encodeURIComponent(endpoint)}`;
  return {
    endpoint,
    address,
    /** Creates a bucket; returns its URL for PHOTO_STORE_URL. */
    bucket: async (name: string) => {
      await client.send(new CreateBucketCommand({ Bucket: name }));
      return address(name);
    },
  };
}
