import type { Instant } from '#base/calendar-date.ts';
import type { PastRequest } from './request-watch.ts';

/** Requests of one kind that failed through the server's fault: how many, and the last one. */
export type FailureGroup = Readonly<{
  method: string;
  route: string;
  status: number;
  count: number;
  lastAt: Instant;
  lastId: string;
}>;

/** Failed requests since the start, in groups; nothing of what was asked. */
export type RecentFailures = Readonly<{
  note: (past: PastRequest, at: Instant) => void;
  /** The latest first. */
  list: () => readonly FailureGroup[];
}>;

const GROUPS_KEPT = 50;

/** Counts the failures of this process. */
export function openFailures(): RecentFailures {
  // In the order of the last failure of each group.
  const groups = new Map<string, FailureGroup>();
  return {
    note: ({ method, route, status, id }, at) => {
      if (status < 500) return;
      const key = `${method} ${route} ${status}`;
      const count = (groups.get(key)?.count ?? 0) + 1;
      groups.delete(key);
      groups.set(key, { method, route, status, count, lastAt: at, lastId: id });
      const [oldest] = groups.keys();
      if (groups.size > GROUPS_KEPT && oldest !== undefined) groups.delete(oldest);
    },
    list: () => [...groups.values()].reverse(),
  };
}
