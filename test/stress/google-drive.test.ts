import { expect, test } from 'vitest';
import { anActivity, aSchool } from '../builders.ts';
import { FAULTS, type FaultName, STEPS, type Step } from '../google/failures.ts';
import type { Google } from '../google/fake-google.ts';
import {
  aStoredPhoto,
  besideGoogle,
  connect,
  connectedToGoogle,
  statusOf,
  storedPhotos,
  sync,
} from '../google-drive.ts';
import { ENGINE, runningClock, type TestApp } from '../harness.ts';
import { startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';
import { randomFrom } from './random.ts';

const SEED = Number(process.env['STRESS_SEED'] ?? 20_260_304);
const CELLS = IS_LONG ? Number.POSITIVE_INFINITY : 4;
const KILLS = IS_LONG ? 25 : 1;
const RACES = IS_LONG ? 25 : 1;
const PHOTOS = 20;
const LARGE_BYTES = 5_400_000;
const MOST_MS = IS_LONG ? 7_200_000 : 120_000;

type Cell = Readonly<{ step: Step; fault: FaultName; after: number; times: number }>;

/** Faults after which a repeated attempt could make duplicates: always tested. */
const WORST: readonly Cell[] = [
  { step: 'createFolder', fault: 'doneButCut', after: 1, times: 1 },
  { step: 'uploadWhole', fault: 'doneButBroken', after: 3, times: 1 },
  { step: 'sendChunk', fault: 'half', after: 1, times: 1 },
];

test(
  'after a failure at any step of a sync, the next sync leaves every photo in Drive exactly once',
  async () => {
    const random = randomFrom(SEED);
    const cells = [...WORST, ...shuffled(everyCell(), random).slice(0, CELLS)];
    const made = await connectedToGoogle();
    const ended = { first: 0, second: 0 };
    for (const cell of cells) ended[await survives(made, cell)] += 1;
    console.log(
      `Drive on ${ENGINE}: ${cells.length} failures (seed ${SEED}), ${ended.first} needed no second sync`,
    );
    expect(ended.first).toBeGreaterThan(0);
  },
  MOST_MS,
);

test(
  `a start after kill -9 during a sync continues it, and copies every photo exactly once (${KILLS} times)`,
  async () => {
    const random = randomFrom(SEED + 1);
    const made = await besideGoogle({}, { clock: runningClock(), slownessMs: 20 });
    await connect(made);
    const { app, google, admin } = made;
    for (let time = 1; time <= KILLS; time += 1) {
      const { activity, photos } = await twentyPhotos(app, admin);
      const child = await startChild(app, google.settings);
      const uploads = countUploads(google) + 1 + Math.floor(random() * 15);
      const waiting = child.call(SYNC, { token: admin.token, body: { activityIds: [activity.id] } });
      await expect
        .poll(() => countUploads(google), { interval: 5, timeout: 20_000 })
        .toBeGreaterThan(uploads);
      await Promise.all([child.end('SIGKILL'), waiting.catch(() => undefined)]);

      // An arbitrary limit: nothing here takes twelve seconds.
      await app.deps.database.db
        .updateTable('drive_folders')
        .set({ leased_until: app.clock.now() })
        .execute();
      const next = await startChild(app, google.settings);
      const status = { token: admin.token };
      await expect
        .poll(async () => (await next.call(CURRENT, status)).body.sync.state, { timeout: 30_000 })
        .toBe('done');
      expect((await next.call(CURRENT, status)).body.sync.photos).toMatchObject({ total: PHOTOS, failed: 0 });
      expectOnce(google, photos);
      await next.end('SIGTERM');
    }
  },
  MOST_MS,
);

test(
  `servers that sync the same activity at the same time copy it once (${RACES} times)`,
  async () => {
    const made = await besideGoogle({}, { clock: runningClock(), slownessMs: 5 });
    await connect(made);
    const { app, google, admin } = made;
    const first = await startChild(app, google.settings);
    // SQLite has one server, which gets both requests.
    const replicas = [first, ENGINE === 'sqlite' ? first : await startChild(app, google.settings)];
    for (let time = 1; time <= RACES; time += 1) {
      const one = await twentyPhotos(app, admin);
      const other = await twentyPhotos(app, admin);
      const activityIds = [one.activity.id, other.activity.id];
      const replies = await Promise.all(
        replicas.map((replica) => replica.call(SYNC, { token: admin.token, body: { activityIds } })),
      );
      for (const { status, body } of replies) expect([status, body.success]).toEqual([200, true]);
      const stored = replies.flatMap(({ body }) => body.results.map((result: Counts) => result.successful));
      expect(stored.reduce((sum, count) => sum + count, 0)).toBe(2 * PHOTOS);
      expectOnce(google, [...one.photos, ...other.photos]);
    }
    expect(google.mostUploads()).toBeLessThanOrEqual(6);
    await Promise.all([...new Set(replicas)].map((replica) => replica.end('SIGTERM')));
  },
  MOST_MS,
);

const SYNC = 'POST /api/admin/google-drive/sync-activities';
const CURRENT = 'GET /api/admin/google-drive/sync';

type Counts = { successful: number };
type Made = Awaited<ReturnType<typeof connectedToGoogle>>;

// The last sync that was needed.
async function survives(made: Made, cell: Cell): Promise<'first' | 'second'> {
  const { app, google, admin } = made;
  const { activity, photos } = await twentyPhotos(app, admin, cell.step === 'get');
  // A sync begins with a fresh token, as one on the next day would.
  await app.deps.database.db
    .updateTable('drive_connection')
    .set({ access_expires_at: app.clock.now() })
    .execute();
  // Only an interrupted upload asks how much has arrived.
  if (cell.step === 'askUpload') google.faults.plan('sendChunk', 'cut');
  google.faults.plan(cell.step, cell.fault, cell);
  const first = await sync(app, admin, [activity]);
  expect([cell, google.faults.areOver()]).toEqual([cell, true]);
  google.faults.clear();
  if (!(await statusOf(app, admin)).connected) await connect(made);
  if (first.body.success === true && isOnce(google, photos)) return 'first';
  const second = await sync(app, admin, [activity]);
  expect([cell, second.status, second.body.results]).toMatchObject([
    cell,
    200,
    [{ success: true, failed: 0 }],
  ]);
  expectOnce(google, photos, cell);
  return 'second';
}

async function twentyPhotos(app: TestApp, by: { id: number; token: string }, hasBefore = false) {
  const school = await aSchool(app);
  const activity = await anActivity(app, { school });
  const before = hasBefore ? await storedPhotos(app, 5, { by, activity }) : [];
  if (hasBefore) await sync(app, by, [activity]);
  const large = await aStoredPhoto(app, { by, activity, bytes: LARGE_BYTES });
  const small = await storedPhotos(app, PHOTOS - 1 - before.length, { by, activity });
  return { activity, photos: [...before, large, ...small] };
}

function everyCell(): Cell[] {
  const steps = STEPS.filter((step) => step !== 'about' && step !== 'remove');
  return steps.flatMap((step) =>
    (Object.keys(FAULTS) as FaultName[])
      .filter((fault) => step !== 'token' || OF_TOKENS.includes(fault))
      .flatMap((fault) => {
        const once = (step === 'uploadWhole' ? [0, 3, 17] : [0]).map((after) => ({
          step,
          fault,
          after,
          times: 1,
        }));
        return AGAIN.includes(fault) ? [...once, { step, fault, after: 0, times: 3 }] : once;
      }),
  );
}

// The faults of the token endpoint.
const OF_TOKENS: readonly FaultName[] = [
  'broken',
  'doneButBroken',
  'cut',
  'doneButCut',
  'tooMany',
  'revoked',
];
// The faults after which the same request is sent again.
const AGAIN: readonly FaultName[] = ['rate', 'tooMany', 'broken', 'cut'];

function shuffled<Thing>(things: readonly Thing[], random: () => number): Thing[] {
  return things
    .map((thing) => ({ thing, place: random() }))
    .toSorted((one, other) => one.place - other.place)
    .map(({ thing }) => thing);
}

function timesInDrive(google: Google, photos: readonly { id: number }[]): number[] {
  const all = google.tree().flatMap(({ files }) => files);
  return photos.map(({ id }) => all.filter((photo) => photo === String(id)).length);
}

function isOnce(google: Google, photos: readonly { id: number }[]): boolean {
  return timesInDrive(google, photos).every((times) => times === 1);
}

function expectOnce(google: Google, photos: readonly { id: number }[], cell?: Cell): void {
  expect([cell, timesInDrive(google, photos)]).toEqual([cell, photos.map(() => 1)]);
}

function countUploads(google: Google): number {
  return google.requests.filter(({ step }) => step === 'uploadWhole').length;
}
