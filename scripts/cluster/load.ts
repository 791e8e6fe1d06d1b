import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';

/** Who administers the district of the cluster. */
export const ADMINISTRATOR = { email: 'ada@maplegrove.example', password: 'maple-lantern-42' } as const;

const VOLUNTEERS = 8;
// The pauses between calls; a volunteer waits as long as a page does before it sends again.
const BEAT_MS = { hours: 100, lists: 200, photos: 1_000, again: 200 } as const;
const ATTEMPT_MS = 15_000;

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Reply = Readonly<{ status: number; body: any }>;
type Sent = Readonly<{ token?: string; key?: string; body?: object; form?: FormData }>;

/** Somebody's use of a district, all the time, until `stop`; and what was answered. */
export type Load = Awaited<ReturnType<typeof startLoad>>;

// Long because everybody who uses the district shares what was seen.
/** Makes a small district at an address, then logs hours, reads lists and adds photos, each call until it is taken. */
export async function startLoad(origin: string) {
  const { admin, schoolId, activityId, volunteers } = await makeDistrict(origin);
  /** Notes of entries and ids of photos that were acknowledged, and answers that were neither success nor "come back". */
  const seen = { entries: new Set<string>(), photos: new Set<number>(), strange: [] as string[] };
  /** When each kind was answered with success, in order (`performance.now()`). */
  const times: Record<'hours' | 'lists' | 'photos', number[]> = { hours: [], lists: [], photos: [] };
  let isOver = false;
  // As the page does it: a call that got no answer, or was told to come back, is sent again with its key.
  const untilTaken = async (method: string, path: string, sent: Sent): Promise<Reply | undefined> => {
    // What was begun is brought to its end, so that its fate is known.
    for (let attempt = 0; attempt < 300; attempt += 1) {
      const reply = await send(origin, method, path, sent);
      const isAgain = reply === undefined || [502, 503, 504].includes(reply.status);
      if (!isAgain && reply.status >= 300)
        seen.strange.push(`${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`);
      if (!isAgain && reply.status < 500) return reply;
      if (sent.key === undefined && isOver) return undefined;
      await pause(BEAT_MS.again);
    }
    return undefined;
  };
  const repeat = async (
    kind: keyof typeof times,
    work: (turn: number) => Promise<boolean>,
  ): Promise<void> => {
    for (let turn = 0; !isOver; turn += 1) {
      if (await work(turn)) times[kind].push(performance.now());
      await pause(BEAT_MS[kind]);
    }
  };
  const logHours = (token: string) =>
    repeat('hours', async () => {
      const key = randomUUID();
      const body = { activityId, hours: 1, notes: key };
      const isLogged = (await untilTaken('POST', '/api/time-entries', { token, key, body }))?.status === 201;
      if (isLogged) seen.entries.add(key);
      return isLogged;
    });
  const readLists = () =>
    repeat('lists', async (turn) => {
      const what = turn % 2 === 0 ? 'time-entries' : 'analytics/activities';
      const reply = await untilTaken('GET', `/api/admin/${what}?schoolId=${schoolId}`, { token: admin });
      return reply?.status === 200;
    });
  const addPhotos = () =>
    repeat('photos', async (turn) => {
      const background = { r: turn % 256, g: (turn * 7) % 256, b: (turn * 31) % 256 };
      const drawn = sharp({ create: { width: 320, height: 240, channels: 3, background } });
      const form = new FormData();
      const picture = new Uint8Array(await drawn.jpeg().toBuffer());
      form.set('photos', new File([picture], `${turn}.jpg`, { type: 'image/jpeg' }));
      const path = `/api/activities/${activityId}/photos`;
      const reply = await untilTaken('POST', path, { token: admin, key: randomUUID(), form });
      for (const { id } of reply?.status === 201 ? reply.body.photos : []) seen.photos.add(id);
      return reply?.status === 201;
    });
  const work = [...volunteers.map(logHours), readLists(), addPhotos()];
  const stop = async () => {
    isOver = true;
    await Promise.all(work);
  };
  return { seen, times, stop };
}

async function send(origin: string, method: string, path: string, sent: Sent): Promise<Reply | undefined> {
  const { token, key, body, form } = sent;
  try {
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: form ?? (body === undefined ? null : JSON.stringify(body)),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  } catch {
    return undefined;
  }
}

async function makeDistrict(origin: string) {
  const call = async (path: string, body: object, token?: string) => {
    const reply = await send(origin, 'POST', path, token === undefined ? { body } : { body, token });
    if (reply !== undefined && reply.status < 300) return reply.body;
    throw new Error(`POST ${path}: ${reply?.status} ${JSON.stringify(reply?.body)}`);
  };
  const { token: admin } = await call('/api/auth/login', ADMINISTRATOR);
  const { school } = await call('/api/admin/schools', { name: 'Lincoln' }, admin);
  const schoolId: number = school.id;
  const { category } = await call('/api/admin/categories', { schoolId, name: 'Events' }, admin);
  const fair = { schoolId, categoryId: category.id, name: 'Book fair' };
  const { activity } = await call('/api/admin/activities', fair, admin);
  const volunteers: string[] = [];
  while (volunteers.length < VOLUNTEERS) {
    const number = volunteers.length;
    const person = { firstName: 'Vera', lastName: `Volunteer ${number}`, password: 'quiet-harbor-58' };
    const email = `volunteer${number}@maplegrove.example`;
    volunteers.push((await call('/api/auth/register', { ...person, email, schoolIds: [schoolId] })).token);
  }
  return { admin, schoolId, activityId: activity.id as number, volunteers };
}
