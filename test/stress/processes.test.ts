import { readFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { expect, test } from 'vitest';
import { openDatabase } from '#server/db/connect.ts';
import { type Child, startChild } from '#test/child.ts';
import { IS_LONG } from '#test/depth.ts';
import { ADMIN_SETTINGS, openDistrict } from '#test/district.ts';
import { atEnd, ENGINE, migratedPlace } from '#test/harness.ts';
import { sendOver } from './send-over.ts';

const ROUNDS = Number(process.env['STRESS_ROUNDS'] ?? 5);
const ROUND_MS = Number(process.env['STRESS_MS'] ?? 4_000);
const CONNECTIONS = 64;
const PROCESSES = ['1', '2', '4'];
const TICKS_A_SECOND = 100;

type Measured = { processes: string; entries: number; reads: number; p50: number; p99: number; cpu: number };

// For a person to read: which number of processes serves best depends on the machine and on the engine.
test.runIf(IS_LONG)(
  `what ${CONNECTIONS} connections get out of ${PROCESSES.join(', ')} processes`,
  async () => {
    const servers = await Promise.all(PROCESSES.map(aServer));
    const found: Measured[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      for (const server of round % 2 === 0 ? servers : servers.toReversed()) {
        const writes = await load(server, 'POST /api/time-entries');
        const reads = await load(server, 'GET /api/time-entries?limit=20');
        if (round > 0)
          found.push({ processes: server.processes, ...writes, entries: writes.rate, reads: reads.rate });
      }
    }
    console.log(`${ENGINE}, medians of ${ROUNDS - 1} rounds, ${CONNECTIONS} connections:`);
    for (const processes of PROCESSES) {
      const rows = found.filter((row) => row.processes === processes);
      const of = (name: Exclude<keyof Measured, 'processes'>) => median(rows.map((row) => row[name]));
      console.log(
        `  PROCESSES=${processes}: ${Math.round(of('entries'))} entries/s, p50 ${of('p50').toFixed(0)} ms, ` +
          `p99 ${of('p99').toFixed(0)} ms, ${of('cpu').toFixed(2)} ms of processor an entry, ` +
          `${Math.round(of('reads'))} lists/s`,
      );
    }
    for (const { kept, logged } of servers) expect(await kept()).toBe(logged());
  },
);

async function aServer(processes: string) {
  const place = await migratedPlace();
  const child = await startChild(place, { ...ADMIN_SETTINGS, PROCESSES: processes });
  await expect
    .poll(async () => (await child.call('GET /readyz')).body.processes?.running ?? 1, { timeout: 300_000 })
    .toBe(Number(processes));
  const { volunteer, activity } = await openDistrict(child);
  const database = await openDatabase(place);
  atEnd(() => database.close());
  let logged = 0;
  return {
    processes,
    child,
    token: volunteer,
    activityId: activity.id as number,
    note: () => {
      logged += 1;
    },
    logged: () => logged,
    kept: async () => {
      const { count } = await database.db
        .selectFrom('time_entries')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

type Server = Awaited<ReturnType<typeof aServer>>;

async function load(server: Server, call: string) {
  const { child, token, activityId } = server;
  const times: number[] = [];
  const isWriting = call.startsWith('POST');
  const before = cpuOf(child);
  const until = performance.now() + ROUND_MS;
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (performance.now() < until) {
        const began = performance.now();
        const body = isWriting ? { activityId, hours: 0.25 } : undefined;
        const status = await sendOver(child.origin, call, { token, agent, body });
        // A machine that does not keep up says so.
        expect([isWriting ? 201 : 200, 503]).toContain(status);
        if (status === 503) continue;
        times.push(performance.now() - began);
        if (isWriting) server.note();
      }
      agent.destroy();
    }),
  );
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  const cpu = (cpuOf(child) - before) / times.length;
  return { rate: (times.length * 1_000) / ROUND_MS, p50: at(0.5), p99: at(0.99), cpu };
}

/** Milliseconds of processor that a server and its processes have used; of PostgreSQL none. */
function cpuOf({ pid }: Pick<Child, 'pid'>): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return [pid, ...children.split(' ').filter(Boolean).map(Number)].reduce((sum, one) => {
    const [, fields = ''] = /\) (.*)/.exec(readFileSync(`/proc/${one}/stat`, 'utf8')) ?? [];
    const [user, system] = fields.split(' ').slice(11, 13).map(Number);
    return sum + (((user ?? 0) + (system ?? 0)) * 1_000) / TICKS_A_SECOND;
  }, 0);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
