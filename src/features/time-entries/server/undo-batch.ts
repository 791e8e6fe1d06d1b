import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isWithin, type Viewer } from '#server/http/viewer.ts';
import { seal, unseal } from '#server/secrets.ts';
import { type Instant, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { messages, type TimeEntry } from '../contract.ts';
import { findEntries, lockLiveEntries } from './store.ts';

const MINUTE_MS = 60_000;

/** The entries that one request logged, with their versions, user and school, and how long they can be undone. */
export type UndoBatch = Readonly<{
  by: number;
  schoolId: number;
  until: Instant;
  entries: readonly (readonly [id: number, version: number])[];
}>;

type Logged = Pick<UndoBatch, 'by' | 'schoolId'> &
  Readonly<{ timeEntries: readonly TimeEntry[]; at: Instant; undoMinutes: number }>;

/** Seals a batch, with the additional data in `more`. Only `readUndoBatch` with the same purpose can read it. */
export function sealUndoBatch(
  deps: Deps,
  purpose: string,
  { by, schoolId, timeEntries, at, undoMinutes }: Logged,
  more: Readonly<Record<string, unknown>> = {},
): string {
  const until = plusMilliseconds(at, undoMinutes * MINUTE_MS);
  const entries = timeEntries.map(({ id, version }) => [id, version] as const);
  const batch: UndoBatch = { by, schoolId, until, entries };
  return seal(deps.secretKey, purpose, JSON.stringify({ ...batch, ...more }));
}

/**
 * Reads a sealed batch, without checking `until`. Throws 404 if it is invalid, not the viewer's, or of a school outside the
 * viewer's scope.
 */
export function readUndoBatch<Batch extends UndoBatch>(
  deps: Deps,
  viewer: Viewer,
  purpose: string,
  sealed: string,
): Batch {
  const batch = parseBatch<Batch>(deps, purpose, sealed);
  if (batch?.by === viewer.userId && isWithin(viewer.schools, batch.schoolId)) return batch;
  throw errors.notFound(messages.notFound);
}

/** Locks the entries of a batch that have not changed since, until the transaction ends, and returns them. */
export async function lockUnchangedEntries(trx: Trx, viewer: Viewer, batch: UndoBatch): Promise<TimeEntry[]> {
  const versions = new Map(batch.entries);
  const locked = await lockLiveEntries(trx, [...versions.keys()]);
  const ids = locked.filter(({ id, version }) => versions.get(id) === version).map(({ id }) => id);
  return ids.length === 0 ? [] : findEntries(trx, viewer, ids);
}

function parseBatch<Batch>(deps: Deps, purpose: string, sealed: string): Batch | undefined {
  try {
    return JSON.parse(unseal(deps.secretKey, purpose, sealed)) as Batch;
  } catch {
    return undefined;
  }
}
