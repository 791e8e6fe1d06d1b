import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

export const ADMINISTRATOR = { email: 'ada@maplegrove.example', password: 'maple-lantern-42' } as const;

const VOLUNTEERS = 8;
// The pauses between requests, and before a retry, as on the page.
const PAUSE_MS = { hours: 100, lists: 200, retry: 200 } as const;
const ATTEMPT_MS = 15_000;
const MAX_ATTEMPTS = 300;

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Reply = Readonly<{ status: number; body: any }>;
type Options = Readonly<{ token?: string; key?: string; body?: object }>;

/** Continuous use of a district until `stop`, with the acknowledged writes. */
export type Load = Awaited<ReturnType<typeof startLoad>>;

/** Makes a small district, then logs hours and reads lists, repeating each request until it is answered. */
export async function startLoad(origin: string) {
  const { admin, schoolId, activityId, volunteers } = await makeDistrict(origin);
  /** The notes of acknowledged entries, and replies that were neither a success nor a request to retry. */
  const entries = new Set<string>();
  const unexpected: string[] = [];
  /** The times of successful requests of each kind, in order (`performance.now()`). */
  const times: Record<'hours' | 'lists', number[]> = { hours: [], lists: [] };
  let isOver = false;
  // Repeats a request with its key, as the page does, when there is no reply or a reply that says to retry.
  const sendUntilAnswered = async (
    method: string,
    path: string,
    options: Options,
  ): Promise<Reply | undefined> => {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const reply = await send(origin, method, path, options);
      const isRetry = reply === undefined || [502, 503, 504].includes(reply.status);
      if (!isRetry && reply.status >= 300)
        unexpected.push(`${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`);
      if (!isRetry && reply.status < 500) return reply;
      // A write is repeated even after the end, so that its outcome is known.
      if (options.key === undefined && isOver) return undefined;
      await pause(PAUSE_MS.retry);
    }
    return undefined;
  };
  const repeat = async (
    kind: keyof typeof times,
    work: (turn: number) => Promise<boolean>,
  ): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      if (await work(turn)) times[kind].push(performance.now());
      await pause(PAUSE_MS[kind]);
    }
  };
  const logHours = (token: string) =>
    repeat('hours', async () => {
      const key = randomUUID();
      const body = { activityId, hours: 1, notes: key };
      const reply = await sendUntilAnswered('POST', '/api/time-entries', { token, key, body });
      if (reply?.status === 201) entries.add(key);
      return reply?.status === 201;
    });
  const readLists = () =>
    repeat('lists', async (turn) => {
      const list = turn % 2 === 0 ? 'time-entries' : 'analytics/activities';
      const path = `/api/admin/${list}?schoolId=${schoolId}`;
      return (await sendUntilAnswered('GET', path, { token: admin }))?.status === 200;
    });
  const work = [...volunteers.map(logHours), readLists()];
  const stop = async () => {
    isOver = true;
    await Promise.all(work);
  };
  return { entries, unexpected, times, stop };
}

async function send(
  origin: string,
  method: string,
  path: string,
  { token, key, body }: Options,
): Promise<Reply | undefined> {
  try {
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  } catch {
    return undefined;
  }
}

async function makeDistrict(origin: string) {
  const post = async (path: string, body: object, token?: string) => {
    const reply = await send(origin, 'POST', path, token === undefined ? { body } : { body, token });
    if (reply !== undefined && reply.status < 300) return reply.body;
    throw new Error(`POST ${path}: ${reply?.status} ${JSON.stringify(reply?.body)}`);
  };
  const { token: admin } = await post('/api/auth/login', ADMINISTRATOR);
  const { school } = await post('/api/admin/schools', { name: 'Lincoln' }, admin);
  const schoolId: number = school.id;
  const { category } = await post('/api/admin/categories', { schoolId, name: 'Events' }, admin);
  const fair = { schoolId, categoryId: category.id, name: 'Book fair' };
  const { activity } = await post('/api/admin/activities', fair, admin);
  const volunteers: string[] = [];
  while (volunteers.length < VOLUNTEERS) {
    const number = volunteers.length;
    const person = { firstName: 'Vera', lastName: `Volunteer ${number}`, password: 'quiet-harbor-58' };
    const email = `volunteer${number}@maplegrove.example`;
    volunteers.push((await post('/api/auth/register', { ...person, email, schoolIds: [schoolId] })).token);
  }
  return { admin, schoolId, activityId: activity.id as number, volunteers };
}
