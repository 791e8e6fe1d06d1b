import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { fileNames } from '#features/photos/server/photo-files.ts';
import { backupsIn } from '#server/backup/manifest.ts';
import { openDatabase } from '#server/db/database.ts';
import { runCommand } from '#test/command.ts';
import { atEnd, ENGINE, emptyPlace } from '#test/harness.ts';
import { manyEntries } from '#test/many-entries.ts';
import { uploadTo } from '#test/upload.ts';
import { phonePhoto } from '../images/draw-image.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { type Child, type Place, startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';

const count = (name: string, drill: number, short: number) =>
  Number(process.env[`STRESS_${name}`] ?? (IS_LONG ? drill : short));
const TIMES = count('TIMES', 20, 1);
const ENTRIES = count('ENTRIES', 20_000, 300);
const PHOTOS = count('PHOTOS', 200, 2);
const WRITERS = 4;
const PAUSE_MS = 5;
const LOAD_MS = IS_LONG ? 5_000 : 300;
const MOST_MS = IS_LONG ? 14_400_000 : 180_000;
const MOST_MINUTES = 15;
const BATCH = 100;
const VOLUNTEER = { email: 'vera@maplegrove.example', password: 'quiet-harbor-58' };

/** What writers were told and when, and how long calls took. */
type Load = { confirmed: { id: number; at: number }[]; writes: number[]; reads: number[] };

test(
  `a restore has every write confirmed before the backup (${TIMES} times, ${ENTRIES} entries)`,
  async () => {
    const to = mkdtempSync(join(tmpdir(), 'volunteer-time-restore-drill-'));
    atEnd(() => rmSync(to, { recursive: true, force: true }));
    let place = await emptyPlace();
    let child = await startChild(place, ADMIN_SETTINGS);
    const activityId = await fill(child, place);
    for (let time = 1; time <= TIMES; time += 1) {
      const seen = await backUpUnderLoad(child, activityId, () => backup(to, place));
      await child.end('SIGKILL');
      await place.remove();

      place = await emptyPlace();
      const began = performance.now();
      const restored = await runCommand('restore', place, ['--from', to]);
      const restoreMs = performance.now() - began;
      expect(restored).toMatchObject({ code: 0, stderr: '' });
      const takenAt = Date.parse(backupsIn(to).at(-1)?.manifest.takenAt ?? '');
      const before = seen.load.confirmed.filter(({ at }) => at < takenAt).map(({ id }) => id);
      const there = await entriesIn(place);
      expect(before.length).toBeGreaterThan(0);
      expect(before.filter((id) => !there.has(id))).toEqual([]);
      expect(there.size).toBeGreaterThanOrEqual(ENTRIES + before.length);
      if (IS_LONG) {
        console.log(
          `${ENGINE} ${time}: ${there.size} entries, none of ${before.length} confirmed ones lost; ${seen.said}; ` +
            `restore ${minutes(restoreMs)} minutes`,
        );
        expect(restoreMs / 60_000).toBeLessThan(MOST_MINUTES);
      }
      child = await startChild(place);
    }
    await child.end('SIGTERM');
  },
  MOST_MS,
);

/** Makes entries and photos, of which all are copies of one. Returns the activity. */
async function fill(child: Child, place: Place): Promise<number> {
  const { volunteer, activity, school } = await openDistrict(child);
  const files = [{ name: 'fair.jpg', content: await phonePhoto(600, 500) }];
  expect((await uploadTo(child, { token: volunteer, activityId: activity.id, files })).status).toBe(201);
  const database = await openDatabase(place);
  try {
    const { user } = (await child.call('GET /api/profile', { token: volunteer })).body;
    await manyEntries(database, user, { id: activity.id, schoolId: school.id }, ENTRIES, 40);
    const { id, ...photo } = await database.db.selectFrom('photos').selectAll().executeTakeFirstOrThrow();
    const keys = Array.from({ length: PHOTOS - 1 }, (_, copy) => String(copy + 1).padStart(32, '0'));
    for (const key of keys) copyPhoto(place, photo.storage_key, key);
    for (let from = 0; from < keys.length; from += BATCH) {
      const some = keys
        .slice(from, from + BATCH)
        .map((key) => ({ ...photo, storage_key: key, source_sha256: key.padStart(64, '0') }));
      await database.db.insertInto('photos').values(some).execute();
    }
  } finally {
    await database.close();
  }
  return activity.id;
}

function copyPhoto(place: Place, from: string, to: string): void {
  const at = (name: string) => join(place.dataDir, 'photos', name.slice(0, 2), name);
  const [sources, targets] = [fileNames(from), fileNames(to)];
  sources.forEach((source, index) => {
    const target = at(targets[index] ?? '');
    mkdirSync(dirname(target), { recursive: true });
    if (existsSync(at(source))) copyFileSync(at(source), target);
  });
}

/** Backs up while people write and read. Returns what they were told, and in words what it took. */
async function backUpUnderLoad(child: Child, activityId: number, makeBackup: () => Promise<number>) {
  const { body } = await child.call('POST /api/auth/login', { body: VOLUNTEER });
  const load: Load = { confirmed: [], writes: [], reads: [] };
  const stopped = new AbortController();
  const people = [
    ...Array.from({ length: WRITERS }, () =>
      write(child, body.token, activityId, { load, stopped: stopped.signal }),
    ),
    read(child, body.token, load, stopped.signal),
  ];
  await pause(LOAD_MS);
  const idle = figures(load);
  const [writes, reads] = [load.writes.length, load.reads.length];
  const backupMs = await makeBackup();
  const busy = figures({ writes: load.writes.slice(writes), reads: load.reads.slice(reads) });
  stopped.abort();
  await Promise.all(people);
  const said = `backup ${minutes(backupMs)} minutes; without it ${idle}; meanwhile ${busy}`;
  return { load, said };
}

async function backup(to: string, place: Place): Promise<number> {
  const began = performance.now();
  expect(await runCommand('backup', place, ['--to', to])).toMatchObject({ code: 0, stderr: '' });
  return performance.now() - began;
}

type At = Readonly<{ load: Load; stopped: AbortSignal }>;

async function write(child: Child, token: string, activityId: number, { load, stopped }: At): Promise<void> {
  while (!stopped.aborted) {
    const began = performance.now();
    const reply = await child.call('POST /api/time-entries', { token, body: { activityId, hours: 1 } });
    load.writes.push(performance.now() - began);
    if (reply.status === 201) load.confirmed.push({ id: reply.body.timeEntry.id, at: Date.now() });
    await pause(PAUSE_MS);
  }
}

async function read(child: Child, token: string, load: Load, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    const began = performance.now();
    await child.call('GET /api/profile', { token });
    load.reads.push(performance.now() - began);
    await pause(PAUSE_MS);
  }
}

async function entriesIn(place: Place): Promise<Set<number>> {
  const database = await openDatabase(place);
  try {
    const rows = await database.db.selectFrom('time_entries').select('id').execute();
    return new Set(rows.map(({ id }) => id));
  } finally {
    await database.close();
  }
}

function figures({ writes, reads }: Pick<Load, 'writes' | 'reads'>): string {
  const [read, written] = [at(reads, 0.99), at(writes, 0.99)];
  return `p99 of reads ${read} ms, of writes ${written} ms, longest write ${at(writes, 1)} ms of ${writes.length}`;
}

function at(times: readonly number[], share: number): string {
  const sorted = times.toSorted((a, b) => a - b);
  return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(1);
}

function minutes(milliseconds: number): string {
  return (milliseconds / 60_000).toFixed(2);
}
