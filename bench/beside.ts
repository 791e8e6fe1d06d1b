/** Bench lines of heavy work: how long another call takes beside it, against what it takes at rest. */
import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { phonePhoto } from '../test/pictures/draw.ts';
import { client, type Sent } from './load.ts';
import type { Cast } from './operations.ts';
import type { Server } from './servers.ts';
import type { UploadsToSend } from './upload-sender.ts';

/** The p99 of another call beside heavy work may be so many times that at rest (performance notes). */
export const MOST_TIMES = 2;
const IDLE_MS = 3_000;
const EVERY_MS = 10;
const UPLOADS = 20;
const PHOTO = { width: 4_000, height: 3_000, bytes: 4_000_000 } as const;
const SIGNING_IN = 8;

type Heavy = Readonly<{
  name: string;
  work: (server: Server, cast: Cast, round: number) => Promise<unknown>;
}>;

const HEAVY: readonly Heavy[] = [
  {
    name: '8 sign-ins, again and again',
    work: (server, cast) =>
      together(SIGNING_IN, (at) =>
        forAWhile(() =>
          ask(server, {
            method: 'POST',
            path: '/api/auth/login',
            body: { email: cast.volunteers[at]?.email, password: SIGN_INS.password },
          }),
        ),
      ),
  },
  {
    name: 'district figures with dates',
    work: (server, cast) =>
      forAWhile(() =>
        ask(server, {
          method: 'GET',
          path: '/api/admin/analytics/activities?startDate=2024-01-15&endDate=2026-01-10',
          token: cast.admin.token,
        }),
      ),
  },
  {
    name: 'overview with dates',
    work: (server, cast) =>
      forAWhile(() =>
        ask(server, {
          method: 'GET',
          path: '/api/admin/analytics/overview?startDate=2024-01-15&endDate=2026-01-10',
          token: cast.admin.token,
        }),
      ),
  },
  { name: 'an export to Excel', work: exportAll },
  { name: `${UPLOADS} uploads of 12 MP`, work: uploadAll },
];

/**
 * Measures another call beside each kind of heavy work, on each server in turns. `isWanted` chooses by name.
 */
export async function benchBeside(
  servers: readonly Server[],
  cast: Cast,
  { isWanted, rounds }: { isWanted: (of: { name: string }) => boolean; rounds: number },
): Promise<void> {
  const probed: Sent = {
    method: 'GET',
    path: '/api/time-entries?limit=20',
    token: cast.volunteers[0]?.token,
  };
  console.log(`\nanother call beside heavy work, every ${EVERY_MS} ms`);
  for (const { name, work } of HEAVY.filter(isWanted)) {
    const measured = servers.map((server) => ({
      server,
      // Sockets of its own: none is kept waiting by those of the work.
      prober: client(server.port),
      idle: [] as number[],
      busy: [] as number[],
      took: [] as number[],
    }));
    for (let round = 0; round < rounds; round++) {
      for (const { server, prober, idle, busy, took } of round % 2 === 0 ? measured : measured.toReversed()) {
        idle.push(...(await beside(prober, probed, () => pause(IDLE_MS))));
        const began = performance.now();
        busy.push(...(await beside(prober, probed, () => work(server, cast, round))));
        took.push(performance.now() - began);
      }
    }
    for (const { server, prober, idle, busy, took } of measured) {
      sayBeside(`${server.name}: ${name} (${(at(took, 0.5) / 1000).toFixed(1)} s)`, busy, idle);
      prober.close();
    }
  }
}

/** Prints the p99 of a call beside other work, and how many times that at rest it is. */
export function sayBeside(name: string, busy: readonly number[], idle: readonly number[]): void {
  const ratio = at(busy, 0.99) / at(idle, 0.99);
  say(
    name,
    `p50 ${at(busy, 0.5).toFixed(1)} ms, at rest ${at(idle, 0.5).toFixed(1)} ms; ` +
      `p99 ${at(busy, 0.99).toFixed(1)} ms, at rest ${at(idle, 0.99).toFixed(1)} ms, most ${at(busy, 1).toFixed(0)} ms: ` +
      `${ratio.toFixed(2)}, must ${MOST_TIMES.toFixed(2)}${ratio > MOST_TIMES ? ' missed' : ''}`,
  );
}

/**
 * The milliseconds of a call that is sent at fixed moments while something else is done, each from the moment at which it
 * was due: a server that stands still delays all that were due meanwhile, not only the one that was under way.
 */
export async function beside(
  client: Server['client'],
  probed: Sent,
  work: () => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  const sent: Promise<unknown>[] = [];
  let isOver = false;
  const probing = (async () => {
    for (let due = performance.now(); !isOver; due += EVERY_MS) {
      await pause(Math.max(0, due - performance.now()));
      const late = Math.max(0, performance.now() - due);
      sent.push(client.send(probed, false).then(({ milliseconds }) => times.push(late + milliseconds)));
    }
  })();
  try {
    await work();
  } finally {
    isOver = true;
    await probing;
    await Promise.all(sent);
  }
  return times;
}

/** Prints a line of the bench. */
export function say(name: string, text: string): void {
  console.log(`${name.padEnd(44)} ${text}`);
}

/** The value below which a share of a list lies. */
export function at(list: readonly number[], share: number): number {
  const sorted = list.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

async function exportAll(server: Server): Promise<void> {
  // An export asks for a fresh proof, which a sign-in is.
  const signedIn = await ask(server, {
    method: 'POST',
    path: '/api/auth/login',
    body: { email: SIGN_INS.administrator, password: SIGN_INS.password },
  });
  const { body } = await ask(server, {
    method: 'POST',
    path: '/api/admin/time-entries/export',
    token: signedIn.body.token,
    body: { format: 'xlsx' },
  });
  const answer = await fetch(new URL(body.url, `http://127.0.0.1:${server.port}`));
  if (!answer.ok) throw new Error(`export: ${answer.status}`);
  for await (const _ of answer.body ?? []);
}

async function uploadAll(server: Server, { volunteers }: Cast, round: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'volunteer-time-uploads-'));
  const picture = join(folder, 'picture.jpg');
  // What is drawn packs into little: as many bytes as a phone's picture has come behind it, which decoders skip.
  writeFileSync(
    picture,
    Buffer.concat([await phonePhoto(PHOTO.width, PHOTO.height), randomBytes(PHOTO.bytes)]),
  );
  const sender = fork(new URL('./upload-sender.ts', import.meta.url));
  try {
    const uploads = Array.from({ length: UPLOADS }, (_, at) => {
      const { activityId = 0, token = '' } = volunteers[at % volunteers.length] ?? {};
      // Another picture each time: what the server has already is not made again.
      return { path: `/api/activities/${activityId}/photos`, token, mark: `${round} ${at}` };
    });
    sender.send({ port: server.port, picture, uploads } satisfies UploadsToSend);
    const [statuses] = (await once(sender, 'message')) as [number[]];
    if (statuses.some((status) => status !== 201)) throw new Error(`uploads: ${statuses}`);
  } finally {
    sender.kill('SIGKILL');
    rmSync(folder, { recursive: true });
  }
}

async function ask({ client }: Server, sent: Sent) {
  const answer = await client.send(sent);
  if (answer.status >= 400) throw new Error(`${sent.path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer;
}

function together(count: number, work: (at: number) => Promise<unknown>): Promise<unknown> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

async function forAWhile(work: () => Promise<unknown>): Promise<void> {
  const until = performance.now() + IDLE_MS;
  while (performance.now() < until) await work();
}
