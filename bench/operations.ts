import { SORTS } from '#features/time-entries/contract.ts';
import { addDays, day } from '#shared/calendar-date.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { at, type Random } from '../scripts/demo/random.ts';
import { LAST_DAY } from './district-data.ts';
import type { Client, Sent } from './http-client.ts';
import type { Cast } from './request-targets.ts';

/** An operation to measure: a generator of its requests. */
export type Operation = Readonly<{
  name: string;
  draw: (cast: Cast, random: Random) => Sent;
  /** One of these counts for this number of requests of an ordinary operation. */
  weight?: number;
  writes?: true;
  /** The page after the drawn one. */
  next?: true;
}>;

type Query = Record<string, string | number>;
type Drawn = (cast: Cast, random: Random) => Query;
const LIST = '/api/admin/time-entries';
const ANALYTICS = '/api/admin/analytics/activities';

/** Every operation, from the least to the writes. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'floor', draw: () => ({ method: 'GET', path: '/healthz' }) },
  { name: 'login', weight: 20, draw: (cast, random) => signIn(random.pick(cast.volunteers).email) },
  { name: 'profile', draw: asVolunteer('/api/profile', () => ({})) },
  { name: 'activity list', draw: asVolunteer('/api/activities', ({ schoolId }) => ({ schoolId })) },
  { name: 'recent 20', draw: asVolunteer('/api/time-entries', ({ schoolId }) => ({ limit: 20, schoolId })) },
  ...SORTS.map(
    (sortBy): Operation => ({
      name: `list by ${sortBy}`,
      draw: listed((cast, random) => ({
        ...school(cast, random),
        sortBy,
        sortOrder: random.pick(['asc', 'desc']),
      })),
    }),
  ),
  { name: 'list, next page', next: true, draw: listed(school, { sortBy: 'entryDate', sortOrder: 'desc' }) },
  {
    name: 'dates + user, by hours',
    draw: listed(
      (cast, random) => {
        const { userId, schoolId } = random.pick(cast.volunteers);
        return { schoolId, userId, ...days(random) };
      },
      { sortBy: 'hours', sortOrder: 'desc' },
    ),
  },
  { name: 'dates, by userName', draw: listed(schoolAndDays, { sortBy: 'userName', sortOrder: 'asc' }) },
  {
    name: 'activity, by date',
    draw: listed(
      (cast, random) => {
        const { id, activityIds } = random.pick(cast.schools);
        return { schoolId: id, activityId: random.pick(activityIds) };
      },
      { sortBy: 'entryDate', sortOrder: 'desc' },
    ),
  },
  { name: 'summary of a school', draw: asked(`${LIST}/summary`, school) },
  { name: 'summary of dates', weight: 4, draw: asked(`${LIST}/summary`, schoolAndDays) },
  { name: 'analytics of a school', draw: asked(ANALYTICS, school) },
  { name: 'analytics of dates', weight: 4, draw: asked(ANALYTICS, schoolAndDays) },
  { name: 'create', writes: true, draw: logged },
  {
    name: 'update',
    writes: true,
    draw: (cast, random) => {
      const { token, entryId, activityId } = random.pick(cast.volunteers);
      const body = { activityId, hours: random.between(1, 16) / 4, notes: 'Measured' };
      return { method: 'PUT', path: `/api/time-entries/${entryId}`, token, body };
    },
  },
];

/** One entry that a volunteer logs. */
export function logged(cast: Cast, random: Random): Sent {
  const { token, schoolId, activityId } = random.pick(cast.volunteers);
  const entryDate = addDays(day(LAST_DAY), -random.between(0, 13));
  const body = { activityId, schoolId, hours: random.between(1, 16) / 4, entryDate, notes: 'Measured' };
  return { method: 'POST', path: '/api/time-entries', token, body };
}

/** A sign-in. */
export function signIn(email: string): Sent {
  return { method: 'POST', path: '/api/auth/login', body: { email, password: SIGN_INS.password } };
}

/** The requests for one server, since each server's cursors are its own. */
export async function aimed(operation: Operation, client: Client, all: readonly Sent[]): Promise<Sent[]> {
  if (operation.next !== true) return [...all];
  const known = new Map<string, Sent>();
  for (const sent of all) {
    if (known.has(sent.path)) continue;
    const { body } = await client.ask(sent);
    const path = `${sent.path}&cursor=${encodeURIComponent(body.nextCursor ?? '')}`;
    known.set(sent.path, { ...sent, path });
  }
  return all.flatMap((sent) => known.get(sent.path) ?? []);
}

function listed(drawn: Drawn, more: Query = {}): Operation['draw'] {
  return asked(LIST, (cast, random) => ({ ...drawn(cast, random), ...more, limit: 50 }));
}

function asked(path: string, drawn: Drawn): Operation['draw'] {
  return (cast, random) => ({
    method: 'GET',
    path: withQuery(path, drawn(cast, random)),
    token: cast.admin.token,
  });
}

function asVolunteer(path: string, query: (one: Cast['volunteers'][number]) => Query): Operation['draw'] {
  return (cast, random) => {
    const one = random.pick(cast.volunteers);
    return { method: 'GET', path: withQuery(path, query(one)), token: one.token };
  };
}

function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

function school(cast: Cast, random: Random): { schoolId: number } {
  return { schoolId: random.pick(cast.schools).id };
}

function schoolAndDays(cast: Cast, random: Random): Query {
  return { ...school(cast, random), ...days(random) };
}

// From a month to a school year.
function days(random: Random): { startDate: string; endDate: string } {
  const length = at([30, 60, 120, 290], random.between(0, 3));
  const startDate = addDays(day(LAST_DAY), -random.between(length, 1000));
  return { startDate, endDate: addDays(startDate, length) };
}
