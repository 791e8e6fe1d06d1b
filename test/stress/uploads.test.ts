import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileNames } from '#features/photos/server/photo-files.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { instantOf } from '#shared/calendar-date.ts';
import { atEnd, ENGINE, migratedPlace } from '#test/harness.ts';
import { multipart, uploadTo } from '#test/upload.ts';
import { phonePhoto } from '../images/draw-image.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { type Child, startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';
import { randomFrom } from './random.ts';
import { expectPhotos, filesIn, photosIn, runCleanup, waitForRenditions } from './stored-photos.ts';

const KILLS = IS_LONG ? 200 : 4;
const CUTS = IS_LONG ? 1000 : 40;
const WRITERS = 4;
const MOST_MS = IS_LONG ? 7_200_000 : 120_000;
const SEED = Number(process.env['STRESS_SEED'] ?? 20_260_304);

let pictures = 0;
const aPicture = async () => ({
  name: 'fair.jpg',
  content: await phonePhoto(300 + (++pictures % 500), 200 + Math.floor(pictures / 500)),
});

test(
  `kill -9 during uploads loses no confirmed photo and leaves nothing of the others (${KILLS} times)`,
  async () => {
    const random = randomFrom(SEED);
    const place = await migratedPlace();
    const database = await openDatabase(place);
    atEnd(() => database.close());
    let child = await startChild(place, ADMIN_SETTINGS);
    const { volunteer, activity } = await openDistrict(child);
    const confirmed = new Set<number>();
    for (let cycle = 0; cycle < KILLS; cycle++) {
      const stopped = new AbortController();
      const writers = Array.from({ length: WRITERS }, () =>
        write(child, volunteer, activity.id, confirmed, stopped.signal),
      );
      // Half of the time during the first uploads after a start, half of the time after some were confirmed.
      const before = confirmed.size;
      if (cycle % 2 === 0)
        await expect
          .poll(() => confirmed.size, { timeout: IS_LONG ? 600_000 : 60_000 })
          .toBeGreaterThan(before);
      await new Promise((resume) => setTimeout(resume, random() * 900));
      stopped.abort();
      await child.end('SIGKILL');
      await Promise.all(writers);
      await lowerCounters(database);
      child = await startChild(place);
      // What the new server makes for screens has folders there too, one at a time.
      await expect.poll(() => readdirSync(join(place.dataDir, 'uploads')), { timeout: 60_000 }).toEqual([]);
      await expectPhotos(database, place, confirmed);
    }
    await waitForRenditions(database);
    await child.end('SIGTERM');
    await runCleanup(database, place);
    const { keys } = await photosIn(database);
    expect(filesIn(place)).toEqual(keys.flatMap(fileNames).sort());
    console.log(
      `kill -9 amid uploads on ${ENGINE}: ${KILLS} times (seed ${SEED}), ${confirmed.size} confirmed`,
    );
  },
  MOST_MS,
);

test(
  `an upload cut off at any byte leaves neither row nor file (${CUTS} times)`,
  async () => {
    const random = randomFrom(SEED + 1);
    const place = await migratedPlace();
    const database = await openDatabase(place);
    atEnd(() => database.close());
    const child = await startChild(place, ADMIN_SETTINGS);
    const { volunteer, activity } = await openDistrict(child);
    const { body, headers } = await multipart('photos', [await aPicture(), await aPicture()]);
    const head =
      `POST /api/activities/${activity.id}/photos HTTP/1.1\r\nhost: ${new URL(child.origin).host}\r\n` +
      `authorization: Bearer ${volunteer}\r\ncontent-type: ${headers['content-type']}\r\n` +
      `content-length: ${body.length}\r\n\r\n`;
    for (let cut = 0; cut < CUTS; cut++) {
      await sendPart(child, Buffer.concat([Buffer.from(head), body.subarray(0, random() * body.length)]));
    }
    await expect.poll(() => readdirSync(join(place.dataDir, 'uploads')), { timeout: 60_000 }).toEqual([]);
    expect([(await photosIn(database)).keys, filesIn(place)]).toEqual([[], []]);
    const whole = await send(child, volunteer, activity.id);
    expect(whole.status).toBe(201);
    await child.end('SIGTERM');
  },
  MOST_MS,
);

async function write(
  child: Child,
  token: string,
  activityId: number,
  confirmed: Set<number>,
  stopped: AbortSignal,
): Promise<void> {
  while (!stopped.aborted) {
    try {
      const reply = await send(child, token, activityId);
      expect(reply.status).toBe(201);
      for (const { id } of reply.body.photos) confirmed.add(id);
    } catch (error) {
      // A client's view of a killed server.
      if (error instanceof TypeError && child.isOver()) return;
      throw error;
    }
  }
}

async function send(child: Child, token: string, activityId: number) {
  return uploadTo(child, { token, activityId, files: [await aPicture(), await aPicture()] });
}

// A person has a daily limit of uploads, and a drill needs more.
async function lowerCounters({ db }: Database): Promise<void> {
  await db
    .updateTable('photos')
    .set({ created_at: instantOf(0) })
    .execute();
}

function sendPart(child: Child, bytes: Buffer): Promise<void> {
  const { hostname, port } = new URL(child.origin);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => {
      socket.write(bytes, () => {
        socket.destroy();
        resolve();
      });
    });
    socket.once('error', reject);
  });
}
