import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { SYSTEM_PYTHON } from '../programs.mjs';
import { freePorts, type Machine, type Program, ROOT, until } from './machine.ts';

const PROGRAM = join(ROOT, 'test/object-store.py');
const KEY = { accessKeyId: 'test:volunteer', secretAccessKey: 'loopback' };
const BUCKET = 'photos';

/** An S3 store that can be stopped and started again with what it holds. `url` is for PHOTO_STORE_URL. */
export type PhotoStore = Readonly<{ url: string; kill: () => Promise<void>; start: () => Promise<void> }>;

/** Starts Debian's Swift with its S3 API and makes a bucket. */
export async function startStore(machine: Machine): Promise<PhotoStore> {
  const { store: port } = await freePorts(['store'] as const);
  const endpoint = `http://127.0.0.1:${port}`;
  const folder = machine.folderOf('store');
  let program: Program | undefined;
  const start = async () => {
    const [, user = ''] = KEY.accessKeyId.split(':');
    const command = [SYSTEM_PYTHON, PROGRAM, folder, user, KEY.secretAccessKey, String(port)];
    const started = machine.start('store', command, { hasInput: true });
    program = started;
    await until('the photo store answers', async () => (await fetch(`${endpoint}/info`)).status > 0, {
      needs: [started],
      seconds: 150,
    });
  };
  await start();
  const client = new S3Client({ region: 'us-east-1', endpoint, forcePathStyle: true, credentials: KEY });
  // It answers before all its parts do.
  await until('the photo store takes a bucket', async () => {
    await client.send(new CreateBucketCommand({ Bucket: BUCKET }));
    return true;
  });
  client.destroy();
  const { accessKeyId, secretAccessKey } = KEY;
  return {
    url: `s3://${encodeURIComponent(accessKeyId)}:${secretAccessKey}@${BUCKET}?endpoint=${encodeURIComponent(endpoint)}`,
    start,
    kill: async () => program?.kill(),
  };
}
