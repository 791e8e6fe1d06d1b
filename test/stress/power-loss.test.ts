import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DAILY_JOBS } from '#app/server/job-list.ts';
import { fileName, UPLOAD_SIZES } from '#features/photos/server/photo-files.ts';
import { openDatabase, transaction } from '#server/db/database.ts';
import { claimDailyJob } from '#server/jobs/daily-jobs.ts';
import { CalendarDate } from '#shared/calendar-date.ts';
import { withLateCommits } from '../fault-injection.ts';
import { atEnd, ENGINE, migratedPlace } from '../harness.ts';
import { phonePhoto } from '../images/draw-image.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { type Child, type Place, startChild } from '../server-process.ts';
import { fileThread, injectFaults, type SystemCall, watchCalls } from '../strace.ts';
import { IS_LONG } from '../test-level.ts';
import { uploadTo } from '../upload.ts';
import { expectPhotos, filesIn, namesIn, photosIn, runCleanup, waitForRenditions } from './stored-photos.ts';
import { waitUntilIdle } from './wait-until-idle.ts';

const MOST_MS = IS_LONG ? 3_600_000 : 120_000;
// So that the n-th call of "the" file thread is always the same one.
const SETTINGS = { UV_THREADPOOL_SIZE: '1' };
/** What a photo upload must sync: three files, their three names, and the folders that contain them. */
const STEPS = [
  ...Array.from({ length: 7 }, (_, at) => ({ name: 'fsync', at: at + 1 })),
  ...Array.from({ length: 3 }, (_, at) => ({ name: 'rename', at: at + 1 })),
].filter(({ at }) => IS_LONG || at % 5 === 2);

let pictures = 0;
async function send(child: Child, { volunteer, activity }: Awaited<ReturnType<typeof openDistrict>>) {
  const content = await phonePhoto(200 + ++pictures, 150);
  return uploadTo(child, {
    token: volunteer,
    activityId: activity.id,
    files: [{ name: 'fair.jpg', content }],
  });
}

/** A place where the jobs of a day are done, so that the commits that are counted are those of the upload. */
async function quietPlace(): Promise<Place> {
  const place = await migratedPlace();
  const database = await openDatabase(place);
  await transaction(database, async (trx) => {
    for (const job of DAILY_JOBS) await claimDailyJob(trx, job, CalendarDate.parse('2999-12-31'));
  });
  await database.close();
  return place;
}

async function openPlace(settings: Record<string, string> = {}) {
  const place = await quietPlace();
  const database = await openDatabase(place);
  atEnd(() => database.close());
  const child = await startChild(place, { ...ADMIN_SETTINGS, ...SETTINGS, ...settings });
  const district = await openDistrict(child);
  await waitUntilIdle(database);
  return { place, database, child, district };
}

const uploadsIn = (place: Place) => readdirSync(join(place.dataDir, 'uploads'));

test(
  'a photo is confirmed only once its files, their names and its row would survive a power loss',
  async () => {
    const { place, database, child, district } = await openPlace();
    const watch = await watchCalls(child.pid, ['fsync', 'fdatasync', 'rename', 'write', 'writev', 'read']);
    expect((await send(child, district)).status).toBe(201);
    const calls = await watch.stop();
    await child.end('SIGTERM');

    const folder = join(place.dataDir, 'photos');
    const only = (what: string, of: SystemCall[]) => {
      expect([what, of.length]).toEqual([what, 1]);
      return of[0] as SystemCall;
    };
    const answer = only(
      'the answer',
      calls.filter(({ name, text }) => name.startsWith('write') && text.includes('HTTP/1.1 201')),
    );
    const commit = lastCommit(calls.filter(({ ended }) => ended < answer.began));
    const { keys } = await photosIn(database);
    const names = keys.flatMap((key) => UPLOAD_SIZES.map((kept) => fileName(key, kept)));
    expect([keys.length, names.length]).toEqual([1, 3]);
    for (const name of names) {
      const part = join(folder, name.slice(0, 2));
      const content = only(
        'the content',
        calls.filter((call) => call.name === 'fsync' && call.text.includes(`${name}>`)),
      );
      const renamed = only(
        'the name',
        calls.filter((call) => call.name === 'rename' && call.text.includes(`"${join(part, name)}"`)),
      );
      const synced = calls.find((call) => isSync(call, part) && call.began > renamed.ended);
      const above = calls.find((call) => isSync(call, folder));
      expect(content.ended).toBeLessThan(renamed.began);
      expect(synced?.ended).toBeLessThan(commit.began);
      expect(above?.ended).toBeLessThan(commit.began);
    }
  },
  MOST_MS,
);

const isSync = ({ name, text }: SystemCall, path: string) =>
  name === 'fsync' && text.includes(`<${path}>`) && text.endsWith('= 0');

/** On SQLite its log is synced; PostgreSQL answers COMMIT once it has synced its own log. */
function lastCommit(calls: readonly SystemCall[]): SystemCall {
  const found = calls.filter(({ name, text }) =>
    ENGINE === 'sqlite'
      ? /^f(data)?sync$/.test(name) && text.includes('.db-wal>') && text.endsWith('= 0')
      : name === 'read' && text.includes('COMMIT'),
  );
  expect(found.length).toBe(2);
  return found[1] as SystemCall;
}

test(
  'a disk that fails or is full at any step of an upload is reported, and nothing is left behind',
  async () => {
    const { place, database, child, district } = await openPlace();
    const thread = fileThread(child.pid);
    let happened = 0;
    for (const how of ['EIO', 'ENOSPC'] as const) {
      for (const { name, at } of STEPS) {
        // Or the step that fails would be one of theirs.
        await waitForRenditions(database);
        await waitUntilIdle(database);
        const faults = await injectFaults([{ thread, name, at, how }]);
        const reply = await send(child, district);
        const [isSpoilt] = await faults.stop();
        // An existing folder is not synced again, so there is one step less.
        if (!isSpoilt) {
          expect(reply.status).toBe(201);
          continue;
        }
        happened += 1;
        expect([name, at, reply.status, reply.body.error]).toEqual([
          name,
          at,
          ...(how === 'EIO'
            ? [503, 'Service temporarily unavailable. Please try again.']
            : [507, 'Storage is full, so nothing was saved. Please contact your administrator.']),
        ]);
        expect([filesIn(place), uploadsIn(place)]).toEqual([await namesIn(database), []]);
      }
    }
    expect(happened).toBeGreaterThanOrEqual(2 * (STEPS.length - 1));
    expect((await send(child, district)).status).toBe(201);
    await child.end('SIGTERM');
    if (IS_LONG) console.log(`failing disk on ${ENGINE}: ${happened} steps`);
  },
  MOST_MS,
);

test(
  'kill -9 between any two steps of an upload leaves complete photos or none',
  async () => {
    const opened = await openPlace();
    const { place, database, district } = opened;
    let { child } = opened;
    let killed = 0;
    // SQLite's log is synced by the main thread.
    const commits = ENGINE === 'sqlite' ? [1, 2].map((at) => ({ name: 'fsync', at })) : [];
    const moments = [
      ...STEPS.map((step) => ({ ...step, thread: fileThread })),
      ...commits.map((step) => ({ ...step, thread: (pid: number) => pid })),
    ];
    for (const { thread, name, at } of moments) {
      await waitForRenditions(database);
      await waitUntilIdle(database);
      const faults = await injectFaults([{ thread: thread(child.pid), name, at, how: 'kill' }]);
      const confirmed = new Set<number>();
      const reply = await send(child, district).catch(() => undefined);
      for (const { id } of reply?.body.photos ?? []) confirmed.add(id);
      await faults.stop();
      if (reply === undefined) {
        killed += 1;
        await child.ended;
        child = await startChild(place, SETTINGS);
      }
      expect(uploadsIn(place)).toEqual([]);
      await expectPhotos(database, place, confirmed);
    }
    await waitForRenditions(database);
    await child.end('SIGTERM');
    await runCleanup(database, place);
    expect(filesIn(place)).toEqual(await namesIn(database));
    expect(killed).toBeGreaterThanOrEqual(moments.length - 1);
    if (IS_LONG) console.log(`kill -9 between steps on ${ENGINE}: ${killed} times`);
  },
  MOST_MS,
);

test(
  'a photo whose row was written despite a database error has its files',
  async () => {
    const { place, child, district, status } = ENGINE === 'sqlite' ? await failingSync() : await lateCommit();
    expect(status).toBe(503);
    await child.end('SIGKILL');
    const again = await startChild(place, SETTINGS);
    const database = await openDatabase(place);
    atEnd(() => database.close());
    await expect.poll(async () => (await photosIn(database)).keys.length).toBe(1);
    await expectPhotos(database, place, new Set());
    expect((await send(again, district)).status).toBe(201);
    await again.end('SIGTERM');
  },
  MOST_MS,
);

// The log contains the row when its sync fails, past the end that the process knows. Once no process has the file open,
// not even this test, the next start looks for the end itself and finds the row.
async function failingSync() {
  const { place, database, child, district } = await openPlace();
  await database.close();
  const faults = await injectFaults([{ thread: child.pid, name: 'fsync', at: 2, how: 'EIO' }]);
  const reply = await send(child, district);
  await child.end('SIGKILL');
  expect(await faults.stop()).toEqual([true]);
  return { place, child, district, status: reply.status };
}

// The connection is gone, and the commit arrives afterwards.
async function lateCommit() {
  const { place, late } = await withLateCommits(await quietPlace(), 'insert into "photos"');
  const child = await startChild(place, { ...ADMIN_SETTINGS, ...SETTINGS });
  const district = await openDistrict(child);
  await late.begin();
  const reply = await send(child, district);
  await late.mend();
  return { place, child, district, status: reply.status };
}
