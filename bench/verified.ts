/**
 * Bench lines of verified hours. The bare server has none, so these are compared with a limit in milliseconds, and with
 * how another call does beside them.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { at, beside, say, sayBeside } from './beside.ts';
import type { Answer, Sent } from './load.ts';
import type { Cast } from './operations.ts';
import type { Server } from './servers.ts';

const BULK = 5_000;
/** The limit of a bulk decision on SQLite. */
const BULK_MS = 2_000;
const ROUNDS = 3;
const IDLE_MS = 3_000;

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
  sayBeside('another call beside it', busy, idle);
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
