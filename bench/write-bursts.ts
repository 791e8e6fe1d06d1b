/** Bench lines of many writes at once, of many sign-ins at once, and of what logging takes beside heavy work. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { phonePhoto } from '#test/images/draw-image.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { randomFrom } from '../scripts/demo/random.ts';
import type { Client, Sent } from './http-client.ts';
import { client } from './http-client.ts';
import type { Server, Stand } from './measured-servers.ts';
import { logged, OPERATIONS, signIn } from './operations.ts';
import { at, inTurns, say, spending } from './paired-rounds.ts';
import type { Cast } from './request-targets.ts';
import type { Uploads } from './upload-sender.ts';

/** How many entries come at once. */
const BURST = 512;
/** The number of sign-ins in one second, and within how many all must be answered. */
const SIGN_INS_AT_ONCE = { count: 200, mustSeconds: 10 } as const;
/** The p99 of logging beside heavy work: at most this multiple of that at rest, or this number of milliseconds. */
const MUST = { times: 3, ms: 50 } as const;
const REST_MS = 3_000;
const EVERY_MS = 10;
const UPLOADS = 20;
const PHOTO = { width: 4_000, height: 3_000, bytes: 4_000_000 } as const;

type Heavy = (server: Server, cast: Cast, round: number) => Promise<unknown>;

const HEAVY: Readonly<Record<string, Heavy>> = {
  '8 sign-ins, again and again': ({ client }, cast) =>
    Promise.all(cast.volunteers.slice(0, 8).map(({ email }) => forAWhile(client, signIn(email)))),
  'figures of the district between two days': ({ client }, { admin }) =>
    forAWhile(client, report('activities', admin)),
  'overview between two days': ({ client }, { admin }) => forAWhile(client, report('overview', admin)),
  'an export to Excel': exportAll,
  [`${UPLOADS} uploads of 12 MP`]: uploadAll,
};

/** Sends many entries, and many changes of entries, at once over a number of connections. */
export async function benchBurst(stand: Stand, connections: number, rounds: number): Promise<void> {
  for (const operation of OPERATIONS.filter(({ writes }) => writes)) {
    const done = new Map<string, { perSecond: number; us: number }[]>();
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const random = randomFrom(`burst of ${operation.name} ${connections} ${round}`);
      const drawn = Array.from({ length: BURST }, () => operation.draw(stand.cast, random));
      for (const server of inTurns(stand.servers, round)) {
        const began = performance.now();
        const { us } = await spending(stand, server, () => server.client.sendAll(drawn, connections));
        const perSecond = (BURST * 1000) / (performance.now() - began);
        if (round > 0)
          done.set(server.name, [...(done.get(server.name) ?? []), { perSecond, us: us / BURST }]);
      }
    }
    for (const [name, all] of done) {
      const [perSecond, us] = (['perSecond', 'us'] as const).map((key) =>
        at(
          all.map((one) => one[key]),
          0.5,
        ).toFixed(0),
      );
      const what = `${BURST} of ${operation.name}, ${connections} connections, ${name}`;
      say(what, `${perSecond} a second, CPU ${us} us each`);
    }
  }
}

/** Measures logging beside each kind of heavy work, and a burst of sign-ins, on each server in turns. */
export async function benchBeside(
  { servers, cast }: Stand,
  { isWanted, rounds }: { isWanted: (name: string) => boolean; rounds: number },
): Promise<void> {
  console.log(`\nlogging beside heavy work, an entry every ${EVERY_MS} ms`);
  for (const [name, work] of Object.entries(HEAVY).filter(([name]) => isWanted(name))) {
    const measured = servers.map((server) => ({ server, rest: [] as number[], busy: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const { server, rest, busy } of round % 2 === 0 ? measured : measured.toReversed()) {
        rest.push(...(await beside(server, cast, () => pause(REST_MS))));
        busy.push(...(await beside(server, cast, () => work(server, cast, round))));
      }
    }
    for (const { server, rest, busy } of measured) {
      const p99 = at(busy, 0.99);
      const isMissed = p99 > MUST.ms && p99 > MUST.times * at(rest, 0.99);
      say(`${server.name}: ${name}`, `p50 and p99 ${both(busy)} ms, at rest ${both(rest)} ms`, isMissed);
    }
  }
  for (const server of servers) await benchSignIns(server, cast);
}

async function benchSignIns({ name, client }: Server, { volunteers }: Cast): Promise<void> {
  const { count, mustSeconds } = SIGN_INS_AT_ONCE;
  const due = Array.from({ length: count }, (_, index) => volunteers[index % volunteers.length]?.email ?? '');
  const began = performance.now();
  await client.sendEvery(1000 / count, () => {
    const email = due.shift();
    return email === undefined ? undefined : signIn(email);
  });
  const seconds = (performance.now() - began) / 1000;
  const what = `${name}: ${count} sign-ins in a second`;
  say(
    what,
    `nobody refused, all in after ${seconds.toFixed(1)} s, must ${mustSeconds}`,
    seconds > mustSeconds,
  );
}

// Over sockets of its own: none is kept waiting by those of the work.
async function beside({ port }: Server, cast: Cast, work: () => Promise<unknown>): Promise<number[]> {
  const prober = client(port);
  const random = randomFrom('beside');
  let isOver = false;
  const probing = prober.sendEvery(EVERY_MS, () => (isOver ? undefined : logged(cast, random)));
  await work().finally(() => {
    isOver = true;
  });
  const times = await probing;
  prober.close();
  return times;
}

function both(times: readonly number[]): string {
  return [0.5, 0.99].map((share) => at(times, share).toFixed(1)).join(' and ');
}

async function forAWhile(client: Client, sent: Sent): Promise<void> {
  const until = performance.now() + REST_MS;
  while (performance.now() < until) await client.ask(sent, false);
}

function report(name: string, { token }: Cast['admin']): Sent {
  return {
    method: 'GET',
    path: `/api/admin/analytics/${name}?startDate=2024-01-15&endDate=2026-01-10`,
    token,
  };
}

async function exportAll({ client, port }: Server): Promise<void> {
  // An export asks for a fresh proof, which a sign-in is.
  const signedIn = await client.ask(signIn(SIGN_INS.administrator));
  const { body } = await client.ask({
    method: 'POST',
    path: '/api/admin/time-entries/export',
    token: signedIn.body.token,
    body: { format: 'xlsx' },
  });
  const answer = await fetch(new URL(body.url, `http://127.0.0.1:${port}`));
  if (!answer.ok) throw new Error(`export: ${answer.status}`);
  for await (const _ of answer.body ?? []);
}

async function uploadAll({ port }: Server, { volunteers }: Cast, round: number): Promise<void> {
  // What is drawn packs into little: as many bytes as a phone's picture has come behind it, which decoders skip.
  const drawn = await phonePhoto(PHOTO.width, PHOTO.height);
  const workerData: Uploads = {
    port,
    picture: Buffer.concat([drawn, randomBytes(PHOTO.bytes)]),
    uploads: volunteers.slice(0, UPLOADS).map(({ activityId, token }, index) => ({
      path: `/api/activities/${activityId}/photos`,
      token,
      // Another picture each time: what the server has already is not made again.
      mark: `${round} ${index}`,
    })),
  };
  const sender = new Worker(new URL('./upload-sender.ts', import.meta.url), { workerData });
  const [statuses] = (await once(sender, 'message')) as [number[]];
  if (statuses.some((status) => status !== 201)) throw new Error(`uploads: ${statuses}`);
}
