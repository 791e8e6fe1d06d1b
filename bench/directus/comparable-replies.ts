import type { Reply } from '../http-client.ts';
import { directusUser } from './schema.ts';

/** Directus orders names and missing dates differently, so only the lengths of these lists are compared. */
const ORDERED_DIFFERENTLY = /sortBy=(userName|activityName|activityDate)/;

type Body = Reply['body'];

/** The rows and figures in a reply to one of our requests, in the same form for us and for Directus. */
export function figuresOf(server: 'ours' | 'directus', body: Body, path: string): unknown {
  return server === 'ours' ? figuresOfOurs(body, path) : figuresOfDirectus(body, path);
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
  const sums = (one: Body) => [one.count.id, one.sum.hours, one.countDistinct.user_id].map(Number);
  if (path.startsWith('/api/auth/')) return typeof data.access_token;
  if (path === '/api/profile') {
    return { id: data.id, schools: idsOf(data.memberships.map((one: Body) => one.school_id)) };
  }
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
  const ids = ORDERED_DIFFERENTLY.test(path) ? [] : entries.map((entry) => entry.id);
  return { total, listed: entries.length, ids };
}

function idsOf(list: Body[]): number[] {
  return list.map((one) => one.id).sort((a, b) => a - b);
}

function sorted(list: Body[], rowOf: (one: Body) => number[]): number[][] {
  return list.map(rowOf).sort(([a = 0], [b = 0]) => a - b);
}
