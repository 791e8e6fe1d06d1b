import { SORTS } from '#features/time-entries/contract.ts';
import { addDays, day } from '#shared/calendar-date.ts';
import { SIGN_INS } from '../scripts/demo/people.ts';
import { at, type Random } from '../scripts/demo/random.ts';
import { LAST_DAY } from './district-data.ts';
import type { ApiRequest, Client } from './http-client.ts';
import type { Targets } from './request-targets.ts';

/** An operation to measure. */
export type Operation = Readonly<{
  name: string;
  /** Creates a random request. */
  draw: (targets: Targets, random: Random) => ApiRequest;
  /** Whether the baseline supports the operation. */
  onBaseline?: boolean;
  /** How many times less often than others an expensive operation is sent. */
  weight?: number;
  writes?: true;
  /** Measures the page after the requested one. */
  isNextPage?: true;
}>;

type Query = Record<string, string | number>;
type DrawQuery = (targets: Targets, random: Random) => Query;
const LIST = '/api/admin/time-entries';
const ANALYTICS = '/api/admin/analytics/activities';
const LATEST_FIRST = { sortBy: 'entryDate', sortOrder: 'desc' } as const;
const ON_BASELINE: readonly string[] = ['entryDate', 'hours'];

export const OPERATIONS: readonly Operation[] = [
  { name: 'floor', onBaseline: true, draw: () => ({ method: 'GET', path: '/healthz' }) },
  { name: 'login', weight: 20, draw: (targets, random) => signIn(random.pick(targets.volunteers).email) },
  { name: 'profile', draw: asVolunteer('/api/profile', () => ({})) },
  { name: 'activity list', draw: asVolunteer('/api/activities', ({ schoolId }) => ({ schoolId })) },
  {
    name: 'recent 20',
    onBaseline: true,
    draw: asVolunteer('/api/time-entries', ({ schoolId }) => ({ limit: 20, schoolId })),
  },
  ...SORTS.map(
    (sortBy): Operation => ({
      name: `list by ${sortBy}`,
      onBaseline: ON_BASELINE.includes(sortBy),
      draw: listEntries((targets, random) => ({
        ...drawSchool(targets, random),
        sortBy,
        sortOrder: random.pick(['asc', 'desc']),
      })),
    }),
  ),
  {
    name: 'list, next page',
    isNextPage: true,
    onBaseline: true,
    draw: listEntries(drawSchool, LATEST_FIRST),
  },
  {
    name: 'dates + user, by hours',
    draw: listEntries(
      (targets, random) => {
        const { userId, schoolId } = random.pick(targets.volunteers);
        return { schoolId, userId, ...drawDates(random) };
      },
      { sortBy: 'hours', sortOrder: 'desc' },
    ),
  },
  {
    name: 'dates, by userName',
    draw: listEntries(drawSchoolAndDates, { sortBy: 'userName', sortOrder: 'asc' }),
  },
  {
    name: 'activity, by date',
    draw: listEntries((targets, random) => {
      const { id, activityIds } = random.pick(targets.schools);
      return { schoolId: id, activityId: random.pick(activityIds) };
    }, LATEST_FIRST),
  },
  { name: 'summary of a school', onBaseline: true, draw: asAdmin(`${LIST}/summary`, drawSchool) },
  { name: 'summary of dates', weight: 4, draw: asAdmin(`${LIST}/summary`, drawSchoolAndDates) },
  { name: 'analytics of a school', draw: asAdmin(ANALYTICS, drawSchool) },
  { name: 'analytics of dates', weight: 4, draw: asAdmin(ANALYTICS, drawSchoolAndDates) },
  { name: 'create', writes: true, onBaseline: true, draw: logHours },
  {
    name: 'update',
    writes: true,
    onBaseline: true,
    draw: (targets, random) => {
      const { token, entryId, activityId } = random.pick(targets.volunteers);
      const body = { activityId, hours: random.between(1, 16) / 4, notes: 'Measured' };
      return { method: 'PUT', path: `/api/time-entries/${entryId}`, token, body };
    },
  },
];

/** Logs one entry as a volunteer. */
export function logHours(targets: Targets, random: Random): ApiRequest {
  const { token, schoolId, activityId } = random.pick(targets.volunteers);
  const entryDate = addDays(day(LAST_DAY), -random.between(0, 13));
  const body = { activityId, schoolId, hours: random.between(1, 16) / 4, entryDate, notes: 'Measured' };
  return { method: 'POST', path: '/api/time-entries', token, body };
}

export function signIn(email: string): ApiRequest {
  return { method: 'POST', path: '/api/auth/login', body: { email, password: SIGN_INS.password } };
}

/** Returns the requests as one server needs them, because each server issues its own cursors. */
export async function withCursors(
  operation: Operation,
  client: Client,
  requests: readonly ApiRequest[],
): Promise<ApiRequest[]> {
  if (operation.isNextPage !== true) return [...requests];
  const nextPages = new Map<string, ApiRequest>();
  for (const request of requests) {
    if (nextPages.has(request.path)) continue;
    const { body } = await client.sendOk(request);
    const path = `${request.path}&cursor=${encodeURIComponent(body.nextCursor ?? '')}`;
    nextPages.set(request.path, { ...request, path });
  }
  return requests.flatMap((request) => nextPages.get(request.path) ?? []);
}

function listEntries(drawQuery: DrawQuery, more: Query = {}): Operation['draw'] {
  return asAdmin(LIST, (targets, random) => ({ ...drawQuery(targets, random), ...more, limit: 50 }));
}

function asAdmin(path: string, drawQuery: DrawQuery): Operation['draw'] {
  return (targets, random) => ({
    method: 'GET',
    path: withQuery(path, drawQuery(targets, random)),
    token: targets.admin.token,
  });
}

function asVolunteer(path: string, query: (one: Targets['volunteers'][number]) => Query): Operation['draw'] {
  return (targets, random) => {
    const one = random.pick(targets.volunteers);
    return { method: 'GET', path: withQuery(path, query(one)), token: one.token };
  };
}

function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
  return pairs.length === 0 ? path : `${path}?${new URLSearchParams(pairs)}`;
}

function drawSchool(targets: Targets, random: Random): { schoolId: number } {
  return { schoolId: random.pick(targets.schools).id };
}

function drawSchoolAndDates(targets: Targets, random: Random): Query {
  return { ...drawSchool(targets, random), ...drawDates(random) };
}

// From a month to a school year.
function drawDates(random: Random): { startDate: string; endDate: string } {
  const length = at([30, 60, 120, 290], random.between(0, 3));
  const startDate = addDays(day(LAST_DAY), -random.between(length, 1000));
  return { startDate, endDate: addDays(startDate, length) };
}
