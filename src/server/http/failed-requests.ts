import { addDays, type CalendarDate, type Instant, utcDayOf } from '#shared/calendar-date.ts';
import { type Trx, transaction } from '../db/database.ts';
import { type Deps, withConnectionPool } from '../deps.ts';
import {
  addFailures,
  deleteFailuresBefore,
  type FailureGroup,
  listFailures,
} from './failed-request-store.ts';
import type { CompletedRequest } from './request-log.ts';

/** Recently failed requests on all servers of this database, in groups, without their content or user. */
export type FailedRequests = Readonly<{
  note: (past: Pick<CompletedRequest, 'method' | 'route' | 'status' | 'id'>, at: Instant) => void;
  /** Lists the groups, latest first. */
  list: () => Promise<readonly FailureGroup[]>;
  /** Stores this process's counts. */
  flush: () => Promise<void>;
}>;

/** Days for which failures are stored, including today. */
const DAYS_KEPT = 7;
const GROUPS_SHOWN = 50;
/** The most groups that wait in memory while the database fails. Beyond that the group with the oldest failure is dropped. */
const GROUPS_WAITING = 200;
/** Delay before storing, so that a burst of failures is written together. */
const WRITE_AFTER_MS = 5_000;

type Waiting = FailureGroup & Readonly<{ day: CalendarDate }>;

// Long because buffering and storing share state.
/** Counts this process's failures and stores them for all servers of the database. */
export function openFailedRequests(given: Deps): FailedRequests {
  const deps = withConnectionPool(given, 'jobs');
  // Ordered by the last failure of each group.
  const waiting = new Map<string, Waiting>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  const add = (group: Waiting) => {
    const key = keyOf(group);
    const count = (waiting.get(key)?.count ?? 0) + group.count;
    waiting.delete(key);
    waiting.set(key, { ...group, count });
    const [oldest] = waiting.keys();
    if (waiting.size > GROUPS_WAITING && oldest !== undefined) waiting.delete(oldest);
  };
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(async () => {
      const groups = [...waiting.values()];
      waiting.clear();
      await writeDown(deps, groups).catch(() => {
        // The database itself may be failing. The log has each failure, and the next failure retries.
        const since = [...waiting.values()];
        waiting.clear();
        for (const group of [...groups, ...since]) add(group);
      });
    });
    return writing;
  };
  return {
    note: ({ method, route, status, id }, at) => {
      if (status < 500) return;
      add({ day: utcDayOf(at), method, route, status, count: 1, lastAt: at, lastId: id });
      timer ??= setTimeout(() => void flush(), WRITE_AFTER_MS).unref();
    },
    list: async () => {
      await flush();
      return listFailures(deps.database.db, firstDay(deps.clock.now()), GROUPS_SHOWN);
    },
    flush,
  };
}

/** Deletes failures of days that are no longer stored (`DAYS_KEPT`). */
export async function deleteOldFailedRequests(trx: Trx, now: Instant): Promise<void> {
  await deleteFailuresBefore(trx, firstDay(now));
}

async function writeDown(deps: Deps, groups: readonly Waiting[]): Promise<void> {
  if (groups.length === 0) return;
  // Always in the same order, to prevent deadlocks between two servers.
  const inOrder = groups.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
  await transaction(deps.database, async (trx) => {
    for (const { day, ...group } of inOrder) await addFailures(trx, day, group);
  });
}

function keyOf({ day, method, route, status }: Waiting): string {
  return [day, method, route, status].join(' ');
}

function firstDay(now: Instant): CalendarDate {
  return addDays(utcDayOf(now), 1 - DAYS_KEPT);
}
