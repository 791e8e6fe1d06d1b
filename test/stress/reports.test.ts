import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { repairRollups } from '#features/time-entries/rollups/server/rollups.ts';
import { type Database, openDatabase } from '#server/db/database.ts';
import { systemClock } from '#server/deps.ts';
import { day, instantOf } from '#shared/calendar-date.ts';
import { anActivity, aPerson } from '#test/builders.ts';
import { atEnd, ENGINE, migratedPlace, type TestApp, TODAY } from '#test/harness.ts';
import { manyEntries } from '#test/many-entries.ts';
import { ADMIN_SETTINGS, openDistrict } from '../open-district.ts';
import { startChild } from '../server-process.ts';
import { IS_LONG } from '../test-level.ts';

// The short run makes few but long reports: on the main thread each would block everybody for longer than `NOISE_MS`.
const PEOPLE = IS_LONG ? 40 : 2;
const ACTIVITIES = IS_LONG ? 10 : 150;
const ROUNDS = IS_LONG ? 5 : 1;
const IDLE_MS = IS_LONG ? 4_000 : 700;
const TIMES = 2;
/** Delays up to this may come from a busy machine; ratios of shorter times are not checked. */
const NOISE_MS = IS_LONG ? 15 : 250;

const ENTRIES = 100_000;
const IMPORTED = 1_000;

type World = Awaited<ReturnType<typeof aWorld>>;

/** What is asked for in each round; answers statuses. */
const WORK: readonly (readonly [
  name: string,
  ask: (world: World, round: number) => Promise<number[]>,
  allowedMs?: number,
])[] = [
  [
    `${PEOPLE} statements`,
    ({ child, people }) =>
      Promise.all(
        people.map(async ({ token }) => {
          return (await child.call('POST /api/reports/statement', { token, body: {} })).status;
        }),
      ),
  ],
  [
    `${PEOPLE} downloads of own data`,
    ({ child, people }) =>
      Promise.all(
        people.map(async ({ token }) => (await child.call('GET /api/profile/data', { token })).status),
      ),
  ],
];

const LONG_WORK: typeof WORK = [
  [`an export of ${ENTRIES} entries`, exportEntries],
  // Written in one transaction, which on SQLite others wait for.
  [`an import of ${IMPORTED} people`, importPeople, 500],
];

test(
  `while ${PEOPLE} people request a report at once, other requests take at most ${TIMES} times as long`,
  async () => {
    const world = await aWorld();
    const { child, school, volunteer } = world;
    const probe = new Worker(new URL('./probe-worker.ts', import.meta.url), {
      workerData: { address: `${child.origin}/api/activities?schoolId=${school.id}`, token: volunteer },
    });
    atEnd(() => probe.terminate());
    const tookSoFar = async () => {
      probe.postMessage('so far');
      const [took]: number[][] = await once(probe, 'message');
      return took ?? [];
    };
    await pause(500);
    for (const [name, ask, allowedMs = NOISE_MS] of IS_LONG ? [...WORK, ...LONG_WORK] : WORK) {
      const [idle, busy]: [number[], number[]] = [[], []];
      const statuses = new Map<number, number>();
      let busyMs = 0;
      await tookSoFar();
      // In turn, so that a machine that is busy with something else disturbs both alike.
      for (let round = 0; round < ROUNDS; round += 1) {
        await pause(IDLE_MS);
        idle.push(...(await tookSoFar()));
        const began = performance.now();
        const answered = await ask(world, round);
        busyMs += performance.now() - began;
        busy.push(...(await tookSoFar()));
        for (const status of answered) statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      if (IS_LONG) say(name, { idle, busy, busyMs, statuses });
      // 429 is for a machine that is busy with something else as well.
      expect([...statuses.keys()].filter((status) => ![200, 201, 429].includes(status))).toEqual([]);
      expect([...statuses.keys()]).not.toEqual([429]);
      expect(at(busy, 0.99), name).toBeLessThan(Math.max(TIMES * at(idle, 0.99), allowedMs));
    }
    await probe.terminate();
    await child.end('SIGTERM');
  },
  IS_LONG ? 600_000 : 60_000,
);

async function aWorld() {
  const place = await migratedPlace();
  const child = await startChild(place, ADMIN_SETTINGS);
  const { admin, volunteer, school, activity } = await openDistrict(child);
  const database = await openDatabase(place);
  atEnd(() => database.close());
  const people = await withHours(database, school);
  if (IS_LONG) {
    const { user } = (await child.call('GET /api/profile', { token: volunteer })).body;
    await manyEntries(database, user, { id: activity.id, schoolId: school.id }, ENTRIES, 40);
  }
  return { child, admin, volunteer, school, people };
}

async function exportEntries({ child, admin, school }: World, round: number): Promise<number[]> {
  const body = { format: round % 2 === 0 ? 'csv' : 'xlsx', schoolId: school.id };
  const asked = await child.call('POST /api/admin/time-entries/export', { token: admin, body });
  expect([asked.status, asked.body]).toEqual([201, expect.anything()]);
  const reply = await fetch(`${child.origin}${asked.body.url}`);
  await reply.arrayBuffer();
  // It counts as running until its end is noted.
  await pause(1_500);
  return [reply.status];
}

async function importPeople({ child, admin, school }: World, round: number): Promise<number[]> {
  const rows = Array.from(
    { length: IMPORTED },
    (_, row) => `Pat,Person ${row},round${round}-${row}@maplegrove.example,${school.name}`,
  );
  const csv = ['First name,Last name,Email,Schools', ...rows].join('\n');
  const { body } = await child.call('POST /api/admin/user-imports/preview', { token: admin, body: { csv } });
  expect(body.preview.counts).toMatchObject({ created: IMPORTED });
  const imported = await child.call('POST /api/admin/user-imports', {
    token: admin,
    body: { csv, key: body.preview.key, sendMail: true },
  });
  return [imported.status];
}

function say(
  name: string,
  seen: { idle: number[]; busy: number[]; busyMs: number; statuses: ReadonlyMap<number, number> },
): void {
  const { idle, busy, busyMs, statuses } = seen;
  const times = (of: number[]) =>
    `p50 ${at(of, 0.5).toFixed(1)} p99 ${at(of, 0.99).toFixed(1)} most ${at(of, 1).toFixed(1)} ms of ${of.length}`;
  const counted = [...statuses].map(([status, count]) => `${count} with ${status}`).join(', ');
  console.log(
    `${ENGINE}: ${ROUNDS} times ${name} in ${(busyMs / 1000).toFixed(1)} s (${counted}); ` +
      `another call at rest ${times(idle)}; meanwhile ${times(busy)}`,
  );
}

/** People of a school, each with hours at every activity. */
async function withHours(database: Database, school: { id: number }) {
  // The child uses the machine's clock, and so do its sessions.
  const app = { deps: { database }, clock: systemClock } as unknown as TestApp;
  const people = [];
  while (people.length < PEOPLE) people.push(await aPerson(app, { schools: [school] }));
  const activities = [];
  while (activities.length < ACTIVITIES) activities.push(await anActivity(app, { school }));
  for (const { id } of people) {
    await database.db
      .insertInto('time_entries')
      .values(
        activities.map((activity) => ({
          user_id: id,
          school_id: school.id,
          activity_id: activity.id,
          hours_hundredths: 150,
          entry_date: day(TODAY),
          created_at: instantOf(Date.now()),
        })),
      )
      .execute();
  }
  await repairRollups(database);
  return people;
}

function at(took: readonly number[], share: number): number {
  const sorted = took.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
}
