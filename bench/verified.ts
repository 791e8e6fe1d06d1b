/**
 * Bench lines of verified hours. The bare server has none, so these are compared with a limit in milliseconds, and with
 * how another call does beside them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Answer, Sent } from './load.ts';
import type { Cast } from './operations.ts';
import type { Server } from './servers.ts';

const BULK = 5_000;
/** Limits of the issue: a bulk decision on SQLite, and the p99 of others beside it to their p99 at rest. */
const BULK_MS = 2_000;
const TIMES = 2;
const ROUNDS = 3;
const IDLE_MS = 3_000;
const PROBE_EVERY_MS = 5;

/** Measures the desk, a bulk decision with another call beside it, and logging, at a school that verifies. */
export async function benchVerified(server: Server, cast: Cast): Promise<void> {
  const { client } = server;
  const { admin } = cast;
  const ask = async (sent: Omit<Sent, 'token'>): Promise<Answer> => {
    const answer = await client.send({ ...sent, token: admin.token });
    if (answer.status >= 400)
      throw new Error(`${sent.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  };
  for (const { id } of cast.schools) {
    await ask({ method: 'PUT', path: `/api/admin/schools/${id}`, body: { verification: 'on' } });
  }
  const list = '/api/admin/verifications?limit=';
  console.log(`\nverified hours on ${server.name}`);
  for (const [name, path] of [
    ['desk, 50 entries', `${list}50`],
    ['desk, 500 entries', `${list}500`],
    ['desk, marked: late', `${list}50&flag=late`],
    ['desk, marked: unusual', `${list}50&flag=unusual&schoolId=${cast.schools[0]?.id}`],
  ] as const) {
    const times: number[] = [];
    for (let round = 0; round < 7; round++) times.push((await ask({ method: 'GET', path })).milliseconds);
    say(name, `${at(times, 0.5).toFixed(1)} ms`);
  }
  await bulk(server, cast, ask);
}

async function bulk(
  { client }: Server,
  cast: Cast,
  ask: (sent: Omit<Sent, 'token'>) => Promise<Answer>,
): Promise<void> {
  const [idle, busy, took, undone]: [number[], number[], number[], number[]] = [[], [], [], []];
  const probed: Sent = { method: 'GET', path: '/api/profile', token: cast.volunteers[0]?.token };
  const ids = await waiting(ask);
  for (let round = 0; round < ROUNDS; round++) {
    idle.push(...(await beside(client, probed, () => pause(IDLE_MS))));
    let batch: number | undefined;
    busy.push(
      ...(await beside(client, probed, async () => {
        const body = { decision: 'verify', entryIds: ids };
        const answer = await ask({ method: 'POST', path: '/api/admin/verifications', body });
        took.push(answer.milliseconds);
        batch = answer.body.batch;
        // As long as the idle time, so that both have as many requests.
        await pause(IDLE_MS);
      })),
    );
    const back = await ask({ method: 'POST', path: `/api/admin/verifications/${batch}/undo` });
    undone.push(back.milliseconds);
  }
  const slowest = at(took, 1);
  say(
    `verify ${ids.length} at once`,
    `${slowest.toFixed(0)} ms at most, must ${BULK_MS}${slowest > BULK_MS ? ' missed' : ''}`,
  );
  say('take that back', `${at(undone, 1).toFixed(0)} ms at most`);
  const ratio = at(busy, 0.99) / at(idle, 0.99);
  say(
    'another call beside it',
    `p99 ${at(busy, 0.99).toFixed(1)} ms, at rest ${at(idle, 0.99).toFixed(1)} ms, most ${at(busy, 1).toFixed(0)} ms: ` +
      `${ratio.toFixed(2)}, must ${TIMES.toFixed(2)}${ratio > TIMES ? ' missed' : ''}`,
  );
}

async function waiting(ask: (sent: Omit<Sent, 'token'>) => Promise<Answer>): Promise<number[]> {
  const ids: number[] = [];
  let cursor = '';
  while (ids.length < BULK) {
    const { body } = await ask({ method: 'GET', path: `/api/admin/verifications?limit=500${cursor}` });
    ids.push(...body.entries.map(({ id }: { id: number }) => id));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`;
  }
  return ids.slice(0, BULK);
}

/** The milliseconds of a call that is sent again and again while something else is done. */
async function beside(
  client: Server['client'],
  probed: Sent,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  let isOver = false;
  const probing = (async () => {
    while (!isOver) {
      times.push((await client.send(probed, false)).milliseconds);
      await pause(PROBE_EVERY_MS);
    }
  })();
  await work();
  isOver = true;
  await probing;
  return times;
}

function say(name: string, text: string): void {
  console.log(`${name.padEnd(24)} ${text}`);
}

function at(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
