import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { atEnd, ENGINE, migratedPlace } from '#test/harness.ts';
import { multipart } from '#test/upload.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';
import type { Uploads } from './upload-sender.ts';

const UPLOADS = IS_LONG ? 20 : 3;
const [WIDTH, HEIGHT] = IS_LONG ? [4000, 3000] : [400, 300];
const IDLE_MS = IS_LONG ? 8_000 : 200;

/** As large as a camera's picture: a drawn one would compress to almost nothing. */
function aPicture(): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 30 } as const;
  const create = { width: WIDTH, height: HEIGHT, channels: 3, background: '#000', noise } as const;
  return sharp({ create }).jpeg({ quality: 80 }).toBuffer();
}

test(
  `${UPLOADS} photos uploaded at once are stored, and other requests are answered meanwhile`,
  async () => {
    const place = await migratedPlace();
    const child = await startChild(place, ADMIN_SETTINGS);
    const { volunteer, activity, school } = await openDistrict(child);
    const picture = await aPicture();
    // Some phones add bytes after a picture, which makes it a different file.
    const contents = Array.from({ length: UPLOADS }, (_, at) => Buffer.concat([picture, Buffer.from([at])]));
    const sender = await startSender({
      address: `${child.origin}/api/activities/${activity.id}/photos`,
      sent: await Promise.all(contents.map((content) => asSent(content, volunteer))),
    });
    const worker = new Worker(new URL('./probe-worker.ts', import.meta.url), {
      workerData: { address: `${child.origin}/api/activities?schoolId=${school.id}`, token: volunteer },
    });
    atEnd(() => worker.terminate());
    const answers = async (): Promise<number[]> => {
      worker.postMessage('so far');
      const [took] = await once(worker, 'message');
      return took;
    };

    await pause(IDLE_MS);
    await answers();
    await pause(IDLE_MS);
    const before = await answers();
    const began = performance.now();
    sender.send('go');
    const [statuses] = await once(sender, 'message');
    const seconds = (performance.now() - began) / 1000;
    const during = await answers();
    await pause(IDLE_MS);
    const after = await answers();
    await worker.terminate();
    await child.end('SIGTERM');
    expect(statuses).toEqual(Array(UPLOADS).fill(201));
    expect([...before, ...during, ...after].every(Number.isFinite)).toBe(true);
    if (!IS_LONG) return;
    const megabytes = contents.reduce((sum, { length }) => sum + length, 0) / 1e6;
    const [idle, busy] = [p99([...before, ...after]), p99(during)];
    console.log(
      `${UPLOADS} uploads of 12 MP (${megabytes.toFixed(0)} MB) on ${ENGINE} took ${seconds.toFixed(1)} s; ` +
        `p99 of another call ${busy.toFixed(1)} ms, idle ${idle.toFixed(1)} ms: ${(busy / idle).toFixed(2)} times`,
    );
  },
  IS_LONG ? 600_000 : 60_000,
);

async function asSent(content: Buffer, token: string) {
  const { body, headers } = await multipart('photos', [{ name: 'fair.jpg', content }]);
  return { body: body.toString('base64'), headers: { authorization: `Bearer ${token}`, ...headers } };
}

async function startSender(uploads: Uploads): Promise<ChildProcess> {
  const sender = fork(new URL('./upload-sender.ts', import.meta.url), { execArgv: [] });
  atEnd(() => {
    sender.kill('SIGKILL');
  });
  sender.send(uploads);
  await once(sender, 'message');
  return sender;
}

function p99(took: readonly number[]): number {
  return took.toSorted((a, b) => a - b)[Math.floor(took.length * 0.99)] ?? Number.NaN;
}
