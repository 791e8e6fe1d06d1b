import { addDays, day } from '#base/calendar-date.ts';
import { SORTS } from '#rooms/time-entries/contract.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { at, type Random } from '../scripts/demo/random.ts';
import type { Sent } from './load.ts';
import { LAST_DAY } from './sizes.ts';

/** The people and things that requests are about, drawn from the data: the same for every server. */
export type Cast = Readonly<{
  admin: { token: string };
  volunteers: readonly {
    token: string;
    email: string;
    userId: number;
    schoolId: number;
    activityId: number;
    entryId: number;
  }[];
  schools: readonly { id: number; activityIds: readonly number[] }[];
}>;

/** An operation to measure: a generator of its requests, and how it compares. */
export type Operation = Readonly<{
  name: string;
  draw: (cast: Cast, random: Random) => Sent;
  /** The most that the ratio of CPU to the limit's may be (performance notes, section 6). */
  must?: number;
  /** One of these counts for so many requests of an ordinary operation. */
  weight?: number;
  writes?: true;
  /** The page after the drawn one. */
  next?: true;
}>;

const PAGE = 50;

/** Every operation that exists so far. */
export const OPERATIONS: readonly Operation[] = [
  { name: 'floor', draw: () => ({ method: 'GET', path: '/healthz' }) },
  {
    name: 'login',
    weight: 20,
    must: 1.15,
    draw: (cast, random) => ({
      method: 'POST',
      path: '/api/auth/login',
      body: { email: random.pick(cast.volunteers).email, password: SIGN_INS.password },
    }),
  },
  {
    name: 'profile',
    must: 1.5,
    draw: (cast, random) => ({
      method: 'GET',
      path: '/api/profile',
      token: random.pick(cast.volunteers).token,
    }),
  },
  {
    name: 'activity list',
    must: 1.7,
    draw: (cast, random) => {
      const { token, schoolId } = random.pick(cast.volunteers);
      return { method: 'GET', path: `/api/activities?schoolId=${schoolId}`, token };
    },
  },
  {
    name: 'recent 20',
    must: 1.5,
    draw: (cast, random) => {
      const { token, schoolId } = random.pick(cast.volunteers);
      return { method: 'GET', path: `/api/time-entries?limit=20&schoolId=${schoolId}`, token };
    },
  },
  ...SORTS.map(
    (by): Operation => ({
      name: `list by ${by}`,
      must: 1.7,
      draw: (cast, random) =>
        listed(cast, { ...school(cast, random), sortBy: by, sortOrder: random.pick(['asc', 'desc']) }),
    }),
  ),
  {
    name: 'list, next page',
    must: 1.7,
    next: true,
    draw: (cast, random) => listed(cast, { ...school(cast, random), sortBy: 'entryDate', sortOrder: 'desc' }),
  },
  {
    name: 'dates + user, by hours',
    must: 1.7,
    draw: (cast, random) => {
      const { userId, schoolId } = random.pick(cast.volunteers);
      const query = { schoolId, userId, sortBy: 'hours', sortOrder: 'desc', ...days(random) };
      return listed(cast, query);
    },
  },
  {
    name: 'dates, by userName',
    must: 1.7,
    draw: (cast, random) =>
      listed(cast, { ...school(cast, random), ...days(random), sortBy: 'userName', sortOrder: 'asc' }),
  },
  {
    name: 'activity, by date',
    must: 1.7,
    draw: (cast, random) => {
      const { id, activityIds } = random.pick(cast.schools);
      return listed(cast, {
        schoolId: id,
        activityId: random.pick(activityIds),
        sortBy: 'entryDate',
        sortOrder: 'desc',
      });
    },
  },
  {
    name: 'summary of a school',
    must: 1.7,
    draw: (cast, random) => summed(cast, school(cast, random)),
  },
  {
    name: 'summary of dates',
    must: 1.2,
    weight: 4,
    draw: (cast, random) => summed(cast, { ...school(cast, random), ...days(random) }),
  },
  {
    name: 'analytics of a school',
    must: 1.7,
    draw: (cast, random) => asked(cast, '/api/admin/analytics/activities', school(cast, random)),
  },
  {
    name: 'analytics of dates',
    must: 1.7,
    weight: 4,
    draw: (cast, random) =>
      asked(cast, '/api/admin/analytics/activities', { ...school(cast, random), ...days(random) }),
  },
  {
    name: 'create',
    must: 1.5,
    writes: true,
    draw: (cast, random) => {
      const { token, schoolId, activityId } = random.pick(cast.volunteers);
      const entryDate = addDays(day(LAST_DAY), -random.between(0, 13));
      const hours = random.between(1, 16) / 4;
      return {
        method: 'POST',
        path: '/api/time-entries',
        token,
        body: { activityId, schoolId, hours, entryDate, notes: 'Measured' },
      };
    },
  },
  {
    name: 'update',
    must: 1.5,
    writes: true,
    draw: (cast, random) => {
      const { token, entryId } = random.pick(cast.volunteers);
      return {
        method: 'PUT',
        path: `/api/time-entries/${entryId}`,
        token,
        body: { hours: random.between(1, 16) / 4, notes: 'Measured' },
      };
    },
  },
];

type Query = Record<string, string | number>;

function listed(cast: Cast, query: Query): Sent {
  return asked(cast, '/api/admin/time-entries', { ...query, limit: PAGE });
}

function summed(cast: Cast, query: Query): Sent {
  return asked(cast, '/api/admin/time-entries/summary', query);
}

function asked(cast: Cast, path: string, query: Query): Sent {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) text.set(name, String(value));
  return { method: 'GET', path: `${path}?${text}`, token: cast.admin.token };
}

function school(cast: Cast, random: Random): { schoolId: number } {
  return { schoolId: random.pick(cast.schools).id };
}

// From a month to a school year.
function days(random: Random): { startDate: string; endDate: string } {
  const length = at([30, 60, 120, 290], random.between(0, 3));
  const startDate = addDays(day(LAST_DAY), -random.between(length, 1000));
  return { startDate, endDate: addDays(startDate, length) };
}
