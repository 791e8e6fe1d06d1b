import { isDeepStrictEqual } from 'node:util';
import { randomFrom } from '../../scripts/demo/random.ts';
import { aimed } from '../agree.ts';
import type { Answer } from '../load.ts';
import type { Operation } from '../operations.ts';
import type { Stand } from '../pairs.ts';
import type { Server } from '../servers.ts';
import { directusUser } from './schema.ts';

const SAMPLES = 6;
/** How names and missing days are ordered is a matter of taste: of lists by these, only how many there are is compared. */
const ORDERED_DIFFERENTLY = /sortBy=(userName|activityName|activityDate)/;

type Body = Answer['body'];

/** Throws unless Directus has the same rows and figures in its answers to sampled requests as the product has. */
export async function requireSameFigures(operation: Operation, { cast, servers }: Stand): Promise<void> {
  const ours = servers.find(({ name }) => name === 'ours');
  const directus = servers.find(({ name }) => name === 'directus');
  if (ours === undefined || directus === undefined) throw new Error('there is nothing to compare with');
  const random = randomFrom(`figures ${operation.name}`);
  for (let sample = 0; sample < SAMPLES; sample++) {
    const drawn = operation.draw(cast, random);
    const one = figuresOfOurs(await answerOf(ours, operation, drawn), drawn.path);
    const other = figuresOfDirectus(await answerOf(directus, operation, drawn), drawn.path);
    if (isDeepStrictEqual(one, other)) continue;
    const texts = [one, other].map((figures) => JSON.stringify(figures).slice(0, 2000));
    throw new Error(`${operation.name} ${drawn.path} is answered differently:\n${texts.join('\n')}`);
  }
}

async function answerOf(
  server: Server,
  operation: Operation,
  drawn: ReturnType<Operation['draw']>,
): Promise<Body> {
  const [sent = drawn] = await aimed(operation, server, [drawn]);
  const { status, body } = await server.client.send(sent);
  if (status >= 400) throw new Error(`${server.name} ${sent.path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

function figuresOfOurs(body: Body, path: string): unknown {
  const { user, activities, timeEntries, total, summary, timeEntry } = body;
  if (path.startsWith('/api/auth/')) return typeof body.token;
  if (user !== undefined) return { id: directusUser(user.id), schools: idsOf(user.schools) };
  if (summary !== undefined) return [summary.totalEntries, summary.totalHours, summary.uniqueUsers];
  if (path.startsWith('/api/admin/analytics/')) {
    return sorted(activities, (one) => [one.id, one.totalEntries, one.totalHours, one.uniqueUsers]);
  }
  if (activities !== undefined) return idsOf(activities);
  if (timeEntries !== undefined) return listed(timeEntries, total, path);
  const { hours, entryDate, notes, activityId, schoolId } = timeEntry;
  return { hours, entryDate, notes, activityId, schoolId, user: directusUser(timeEntry.user.id) };
}

function figuresOfDirectus({ data, meta }: Body, path: string): unknown {
  if (path.startsWith('/api/auth/')) return typeof data.access_token;
  if (path === '/api/profile') {
    return { id: data.id, schools: idsOf(data.memberships.map((one: Body) => one.school_id)) };
  }
  const sums = (one: Body) => [one.count.id, Number(one.sum.hours), one.countDistinct.user_id].map(Number);
  if (path.startsWith('/api/admin/time-entries/summary')) return sums(data[0]);
  if (path.startsWith('/api/admin/analytics/')) return sorted(data, (one) => [one.activity_id, ...sums(one)]);
  if (path.startsWith('/api/activities')) return idsOf(data);
  if (Array.isArray(data)) return listed(data, meta?.filter_count, path);
  return {
    hours: Number(data.hours),
    entryDate: data.entry_date,
    notes: data.notes,
    activityId: data.activity_id.id,
    schoolId: data.school_id.id,
    user: data.user_id.id,
  };
}

function listed(entries: Body[], total: number | undefined, path: string): unknown {
  const isOrderedAlike = !ORDERED_DIFFERENTLY.test(path);
  return { total, listed: entries.length, ids: isOrderedAlike ? entries.map((entry) => entry.id) : [] };
}

function idsOf(list: Body[]): number[] {
  return list.map((one) => one.id).sort((a, b) => a - b);
}

function sorted(list: Body[], rowOf: (one: Body) => number[]): number[][] {
  return list.map(rowOf).sort(([a = 0], [b = 0]) => a - b);
}
