import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import sharp from 'sharp';
import { ADMINISTRATOR } from './servers.ts';

const VOLUNTEERS = 8;
const PASSWORD = 'quiet-harbor-58';
// So often each sends; a volunteer waits as long as a page does before it sends again.
const BEAT_MS = { write: 100, list: 200, photo: 1_000, again: 200 } as const;
const ATTEMPT_MS = 15_000;
const RECENT = 20;

/** What is watched for gaps. */
export type Kind = 'hours' | 'lists' | 'photos';

/** What the load was answered. */
export type Seen = Readonly<{
  /** The notes of all entries that were acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** The ids of all photos that were acknowledged. */
  photos: ReadonlySet<number>;
  /** Own entries that were acknowledged and not in the list that the same person asked for next. */
  unseen: readonly string[];
  /** Answers that were neither success nor "come back": `POST /api/time-entries 500`. */
  strange: readonly string[];
  /** When each kind was last answered with success, in order (`performance.now()`). */
  times: Readonly<Record<Kind, number[]>>;
  /** How many attempts were told to come back, or got no answer. */
  sentAgain: number;
}>;

// biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
type Reply = Readonly<{ status: number; body: any }>;

/** A district with an activity and volunteers, made through its API. */
type District = Readonly<{
  admin: string;
  schoolId: number;
  activityId: number;
  volunteers: readonly string[];
}>;

/** Logs hours, reads lists and adds photos all the time, each call until it is taken, until `stop`. */
export type Load = Readonly<{ seen: Seen; district: District; stop: () => Promise<void> }>;

/** Makes a small district at an address and begins to use it. */
export async function startLoad(origin: string): Promise<Load> {
  const district = await makeDistrict(origin);
  const seen = {
    acknowledged: new Set<string>(),
    photos: new Set<number>(),
    unseen: [] as string[],
    strange: [] as string[],
    times: { hours: [] as number[], lists: [] as number[], photos: [] as number[] },
    sentAgain: 0,
  };
  let isOver = false;
  const goOn = () => !isOver;
  const work = [
    ...district.volunteers.map((token) => logHours({ origin, district, seen, goOn }, token)),
    readLists({ origin, district, seen, goOn }),
    addPhotos({ origin, district, seen, goOn }),
  ];
  return {
    seen,
    district,
    stop: async () => {
      isOver = true;
      await Promise.all(work);
    },
  };
}

type Working = Readonly<{ origin: string; district: District; seen: Changing<Seen>; goOn: () => boolean }>;
type Changing<Of> = {
  -readonly [Key in keyof Of]: Of[Key] extends ReadonlySet<infer One>
    ? Set<One>
    : Of[Key] extends readonly (infer One)[]
      ? One[]
      : Of[Key];
};

async function logHours(working: Working, token: string): Promise<void> {
  const { district, seen, goOn } = working;
  while (goOn()) {
    const key = randomUUID();
    const body = { activityId: district.activityId, hours: 1, notes: key };
    const logged = await untilTaken(working, 'POST', '/api/time-entries', { token, key, body });
    if (logged?.status !== 201) continue;
    seen.acknowledged.add(key);
    seen.times.hours.push(performance.now());
    const own = await untilTaken(working, 'GET', `/api/time-entries?limit=${RECENT}`, { token });
    const notes: string[] = own?.body?.timeEntries?.map((entry: { notes: string }) => entry.notes) ?? [key];
    if (!notes.includes(key)) seen.unseen.push(key);
    await pause(BEAT_MS.write);
  }
}

async function readLists(working: Working): Promise<void> {
  const { district, seen, goOn } = working;
  const paths = [
    `/api/admin/time-entries?schoolId=${district.schoolId}`,
    `/api/admin/analytics/activities?schoolId=${district.schoolId}`,
  ];
  for (let asked = 0; goOn(); asked += 1) {
    const path = paths[asked % paths.length] ?? '';
    const reply = await untilTaken(working, 'GET', path, { token: district.admin });
    if (reply?.status === 200) seen.times.lists.push(performance.now());
    await pause(BEAT_MS.list);
  }
}

async function addPhotos(working: Working): Promise<void> {
  const { district, seen, goOn } = working;
  const path = `/api/activities/${district.activityId}/photos`;
  for (let shade = 0; goOn(); shade += 1) {
    const background = { r: shade % 256, g: (shade * 7) % 256, b: (shade * 31) % 256 };
    const picture = await sharp({ create: { width: 320, height: 240, channels: 3, background } })
      .jpeg()
      .toBuffer();
    const form = () => {
      const made = new FormData();
      made.set('photos', new File([new Uint8Array(picture)], `${shade}.jpg`, { type: 'image/jpeg' }));
      return made;
    };
    const key = randomUUID();
    const reply = await untilTaken(working, 'POST', path, { token: district.admin, key, form });
    if (reply?.status === 201) {
      seen.times.photos.push(performance.now());
      for (const { id } of reply.body.photos as { id: number }[]) seen.photos.add(id);
    }
    await pause(BEAT_MS.photo);
  }
}

type Sent = Readonly<{ token?: string; key?: string; body?: object; form?: () => FormData }>;

// As the page does it: a call that got no answer, or was told to come back, is sent again with its key.
async function untilTaken(working: Working, method: string, path: string, sent: Sent) {
  const { origin, seen, goOn } = working;
  // What was begun is brought to its end, so that its fate is known.
  for (let times = 0; times < 300; times += 1) {
    const reply = await send(origin, method, path, sent);
    if (reply !== undefined && reply.status < 500) {
      if (reply.status >= 300)
        seen.strange.push(`${method} ${path} ${reply.status} ${JSON.stringify(reply.body)}`);
      return reply;
    }
    if (reply !== undefined && ![502, 503, 504].includes(reply.status))
      seen.strange.push(`${method} ${path} ${reply.status}`);
    seen.sentAgain += 1;
    if (sent.key === undefined && !goOn()) return undefined;
    await pause(BEAT_MS.again);
  }
  return undefined;
}

async function send(origin: string, method: string, path: string, sent: Sent): Promise<Reply | undefined> {
  try {
    const reply = await fetch(`${origin}${path}`, {
      method,
      headers: {
        ...(sent.token === undefined ? {} : { authorization: `Bearer ${sent.token}` }),
        ...(sent.key === undefined ? {} : { 'idempotency-key': sent.key }),
        ...(sent.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: sent.form?.() ?? (sent.body === undefined ? null : JSON.stringify(sent.body)),
      signal: AbortSignal.timeout(ATTEMPT_MS),
    });
    const text = await reply.text();
    return { status: reply.status, body: text.startsWith('{') ? JSON.parse(text) : undefined };
  } catch {
    return undefined;
  }
}

async function makeDistrict(origin: string): Promise<District> {
  const call = async (path: string, body: object, token?: string) => {
    const reply = await send(origin, 'POST', path, token === undefined ? { body } : { body, token });
    if (reply === undefined || reply.status >= 300)
      throw new Error(`POST ${path}: ${reply?.status} ${JSON.stringify(reply?.body)}`);
    return reply.body;
  };
  const { token: admin } = await call('/api/auth/login', ADMINISTRATOR);
  const { school } = await call('/api/admin/schools', { name: 'Lincoln' }, admin);
  const { category } = await call('/api/admin/categories', { schoolId: school.id, name: 'Events' }, admin);
  const { activity } = await call(
    '/api/admin/activities',
    { schoolId: school.id, categoryId: category.id, name: 'Book fair' },
    admin,
  );
  const volunteers: string[] = [];
  while (volunteers.length < VOLUNTEERS) {
    const { token } = await call('/api/auth/register', {
      email: `volunteer${volunteers.length}@maplegrove.example`,
      password: PASSWORD,
      firstName: 'Vera',
      lastName: `Volunteer ${volunteers.length}`,
      schoolIds: [school.id],
    });
    volunteers.push(token);
  }
  return { admin, schoolId: school.id, activityId: activity.id, volunteers };
}
