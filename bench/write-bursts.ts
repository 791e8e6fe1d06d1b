/** Measures bursts of writes and of sign-ins, and logging next to heavy work. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { phonePhoto } from '#test/images/draw-image.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { randomFrom } from '../scripts/demo/random.ts';
import { type ApiRequest, type Client, openClient } from './http-client.ts';
import type { Server, TestBed } from './measured-servers.ts';
import { logHours, OPERATIONS, signIn } from './operations.ts';
import { alternateOrder, at, measureCpu, printFigure } from './paired-rounds.ts';
import type { Targets } from './request-targets.ts';
import type { Uploads } from './upload-sender.ts';

/** The number of writes in a burst. */
const BURST = 512;
/** The number of sign-ins in one second, and the limit for answering all of them. */
const SIGN_INS_AT_ONCE = { count: 200, limitSeconds: 10 } as const;
/** The limit for the p99 of logging next to heavy work: this multiple of the idle value, or this many milliseconds. */
const LIMIT = { times: 3, ms: 50 } as const;
const REST_MS = 3_000;
const LOG_EVERY_MS = 10;
const UPLOADS = 20;
const PHOTO = { width: 4_000, height: 3_000, bytes: 4_000_000 } as const;

type HeavyWork = (server: Server, targets: Targets, round: number) => Promise<unknown>;

const HEAVY_WORK: Readonly<Record<string, HeavyWork>> = {
  '8 sign-ins, again and again': ({ client }, targets) =>
    Promise.all(targets.volunteers.slice(0, 8).map(({ email }) => repeat(client, signIn(email)))),
  'analytics of the district between two days': ({ client }, { admin }) =>
    repeat(client, analytics('activities', admin)),
  'overview between two days': ({ client }, { admin }) => repeat(client, analytics('overview', admin)),
  'an export to Excel': exportEntries,
  [`${UPLOADS} uploads of 12 MP`]: uploadPhotos,
};

/** Sends many new entries, then many edits, over a number of connections. */
export async function benchBurst(testBed: TestBed, connections: number, rounds: number): Promise<void> {
  for (const operation of OPERATIONS.filter(({ writes }) => writes)) {
    const measured = new Map<string, { perSecond: number; us: number }[]>();
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      const random = randomFrom(`burst of ${operation.name} ${connections} ${round}`);
      const requests = Array.from({ length: BURST }, () => operation.draw(testBed.targets, random));
      for (const server of alternateOrder(testBed.servers, round)) {
        const began = performance.now();
        const { us } = await measureCpu(testBed, server, () => server.client.sendAll(requests, connections));
        const perSecond = (BURST * 1000) / (performance.now() - began);
        if (round === 0) continue;
        measured.set(server.name, [...(measured.get(server.name) ?? []), { perSecond, us: us / BURST }]);
      }
    }
    for (const [name, all] of measured) {
      const median = (key: 'perSecond' | 'us') => {
        const values = all.map((one) => one[key]);
        return at(values, 0.5).toFixed(0);
      };
      const what = `${BURST} of ${operation.name}, ${connections} connections, ${name}`;
      printFigure(what, `${median('perSecond')} a second, CPU ${median('us')} us each`);
    }
  }
}

/** Measures logging next to each kind of heavy work, and a burst of sign-ins; the servers take turns. */
export async function benchBesideWork(
  { servers, targets }: TestBed,
  { isWanted, rounds }: { isWanted: (name: string) => boolean; rounds: number },
): Promise<void> {
  console.log(`\nlogging next to heavy work, an entry every ${LOG_EVERY_MS} ms`);
  for (const [name, work] of Object.entries(HEAVY_WORK).filter(([name]) => isWanted(name))) {
    const measured = servers.map((server) => ({ server, rest: [] as number[], busy: [] as number[] }));
    for (let round = 0; round < rounds; round++) {
      for (const { server, rest, busy } of round % 2 === 0 ? measured : measured.toReversed()) {
        rest.push(...(await timeLogging(server, targets, () => pause(REST_MS))));
        busy.push(...(await timeLogging(server, targets, () => work(server, targets, round))));
      }
    }
    for (const { server, rest, busy } of measured) {
      const p99 = at(busy, 0.99);
      const isMissed = p99 > LIMIT.ms && p99 > LIMIT.times * at(rest, 0.99);
      const text = `p50 and p99 ${percentiles(busy)} ms, at rest ${percentiles(rest)} ms`;
      printFigure(`${server.name}: ${name}`, text, isMissed);
    }
  }
  for (const server of servers) await benchSignIns(server, targets);
}

async function benchSignIns({ name, client }: Server, { volunteers }: Targets): Promise<void> {
  const { count, limitSeconds } = SIGN_INS_AT_ONCE;
  const due = Array.from({ length: count }, (_, index) => volunteers[index % volunteers.length]?.email ?? '');
  const began = performance.now();
  await client.sendEvery(1000 / count, () => {
    const email = due.shift();
    return email === undefined ? undefined : signIn(email);
  });
  const seconds = (performance.now() - began) / 1000;
  const text = `none rejected, all in after ${seconds.toFixed(1)} s, limit ${limitSeconds}`;
  printFigure(`${name}: ${count} sign-ins in a second`, text, seconds > limitSeconds);
}

/** Logs an entry every few milliseconds while `work` runs; returns the milliseconds of each. */
async function timeLogging(
  { port }: Server,
  targets: Targets,
  work: () => Promise<unknown>,
): Promise<number[]> {
  // A separate client, so that no request waits for a socket of the heavy work.
  const client = openClient(port);
  const random = randomFrom('beside');
  let isOver = false;
  const timing = client.sendEvery(LOG_EVERY_MS, () => (isOver ? undefined : logHours(targets, random)));
  await work().finally(() => {
    isOver = true;
  });
  const times = await timing;
  client.close();
  return times;
}

function percentiles(times: readonly number[]): string {
  return [0.5, 0.99].map((share) => at(times, share).toFixed(1)).join(' and ');
}

async function repeat(client: Client, request: ApiRequest): Promise<void> {
  const until = performance.now() + REST_MS;
  while (performance.now() < until) await client.sendOk(request, false);
}

function analytics(name: string, { token }: Targets['admin']): ApiRequest {
  const path = `/api/admin/analytics/${name}?startDate=2024-01-15&endDate=2026-01-10`;
  return { method: 'GET', path, token };
}

async function exportEntries({ client, port }: Server): Promise<void> {
  // An export requires a recent sign-in.
  const signedIn = await client.sendOk(signIn(SIGN_INS.administrator));
  const { body } = await client.sendOk({
    method: 'POST',
    path: '/api/admin/time-entries/export',
    token: signedIn.body.token,
    body: { format: 'xlsx' },
  });
  const reply = await fetch(new URL(body.url, `http://127.0.0.1:${port}`));
  if (!reply.ok) throw new Error(`export: ${reply.status}`);
  for await (const _ of reply.body ?? []);
}

async function uploadPhotos({ port }: Server, { volunteers }: Targets, round: number): Promise<void> {
  // A drawn image compresses too well, so append the bytes that a phone's photo has in addition. Decoders skip them.
  const drawn = await phonePhoto(PHOTO.width, PHOTO.height);
  const workerData: Uploads = {
    port,
    photo: Buffer.concat([drawn, randomBytes(PHOTO.bytes)]),
    uploads: volunteers.slice(0, UPLOADS).map(({ activityId, token }, index) => ({
      path: `/api/activities/${activityId}/photos`,
      token,
      // The server skips the work for a file that it already has.
      suffix: `${round} ${index}`,
    })),
  };
  const sender = new Worker(new URL('./upload-sender.ts', import.meta.url), { workerData });
  const [statuses] = (await once(sender, 'message')) as [number[]];
  if (statuses.some((status) => status !== 201)) throw new Error(`uploads: ${statuses}`);
}
