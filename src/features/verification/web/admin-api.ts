import {
  type InfiniteData,
  keepPreviousData,
  type QueryClient,
  useInfiniteQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useState } from 'react';
import type { TimeEntry } from '#features/time-entries/contract.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { Id } from '#shared/id.ts';
import { PAGE } from '#shared/list-query.ts';
import { call } from '#web/api/call.ts';
import { listPages } from '#web/api/infinite-pages.ts';
import { decide, listVerifications, undoDecision } from '../contract.ts';
import { type VerificationQueueFilters, verificationQueueParams } from './admin-verification-filter-bar.tsx';

type Page = ReplyOf<typeof listVerifications>;
type DecideBody = BodyOf<typeof decide>;
export type Decision = DecideBody['decision'];
export type Skipped = ReplyOf<typeof decide>['skipped'];

/** The result of a decision: how many entries changed, which were skipped and why, and the ids to undo it. */
export type Decided = Readonly<{ changed: number; skipped: Skipped; batches: readonly Id[] }>;

/** The number of entries that a filter matches, and their hours. */
export type QueueTotals = Pick<Page, 'total' | 'totalHours'>;

const QUEUE_KEY = ['time-entries', 'desk'] as const;

const queueQuery = (schoolId: Id, filters: VerificationQueueFilters) =>
  listPages(
    [...QUEUE_KEY, schoolId, filters],
    listVerifications,
    { ...verificationQueueParams(filters, schoolId), limit: PAGE.max },
    (pages) => ({
      entries: pages.flatMap(({ entries }) => entries),
      // The latest page has the current totals.
      total: pages.at(-1)?.total ?? 0,
      totalHours: pages.at(-1)?.totalHours ?? 0,
    }),
  );

/** A school's entries that match the filters: overdue ones first, then the others, oldest day first. */
export function useVerificationQueue(schoolId: Id, filters: VerificationQueueFilters) {
  return useInfiniteQuery({ ...queueQuery(schoolId, filters), placeholderData: keepPreviousData });
}

// Long because all kinds of decisions share one list and its progress.
/** Decides about entries, by id or by a filter, and undoes decisions. `progress` is the number of entries decided so far. */
export function useDecide() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<{ done: number; of: number }>();

  // Sends entries in pages. Decisions made before a request fails remain.
  async function entries(
    decision: Decision,
    decided: readonly TimeEntry[],
    more: Pick<DecideBody, 'hours' | 'reason'> = {},
  ): Promise<Decided> {
    const batches: Id[] = [];
    const skipped: Skipped = [];
    let changed = 0;
    if (decided.length > PAGE.max) setProgress({ done: 0, of: decided.length });
    try {
      for (let at = 0; at < decided.length; at += PAGE.max) {
        const part = decided.slice(at, at + PAGE.max);
        const seen = { entryIds: part.map(({ id }) => id), versions: part.map(({ version }) => version) };
        const body = { decision, ...seen, ...more };
        const reply = await call(decide, { body });
        changed += reply.changed;
        skipped.push(...reply.skipped);
        if (reply.batch !== null) batches.push(reply.batch);
        removeFromQueue(client, part);
        if (decided.length > PAGE.max) setProgress({ done: at + part.length, of: decided.length });
      }
    } finally {
      setProgress(undefined);
      void refresh(client);
    }
    return { changed, skipped, batches };
  }

  // 409 when the number of entries or their hours have changed.
  async function all(
    filter: ReturnType<typeof verificationQueueParams>,
    seen: QueueTotals,
  ): Promise<Decided> {
    const { total: expectedTotal, totalHours: expectedHours } = seen;
    const body = { decision: 'verify', filter, expectedTotal, expectedHours } as const;
    const { changed, skipped, batch } = await call(decide, { body });
    await refresh(client);
    return { changed, skipped, batches: batch === null ? [] : [batch] };
  }

  async function undo(batches: readonly Id[]): Promise<string> {
    let message = '';
    try {
      for (const batch of batches) {
        message = (await call(undoDecision, { params: { batch } })).message;
      }
    } finally {
      await refresh(client);
    }
    return message;
  }

  return { entries, all, undo, progress } as const;
}

// Removes decided entries from the list immediately, so that the next press applies to the next group.
function removeFromQueue(client: QueryClient, decided: readonly TimeEntry[]): void {
  const gone = new Set(decided.map(({ id }) => id));
  client.setQueriesData<InfiniteData<Page>>({ queryKey: QUEUE_KEY }, (data) =>
    data === undefined
      ? undefined
      : {
          ...data,
          pages: data.pages.map((page) => {
            const entries = page.entries.filter(({ id }) => !gone.has(id));
            return { ...page, entries };
          }),
        },
  );
}

function refresh(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['time-entries'] });
}
