import { setTimeout as sleep } from 'node:timers/promises';
import { agedSessions } from '#features/auth/sessions/server/retention.ts';
import { hoursImportRetention } from '#features/imports/hours/server/privacy.ts';
import { peopleImportRetention } from '#features/imports/people/server/privacy.ts';
import { removeLeftovers } from '#features/photos/server/photo-files.ts';
import { photoRetention } from '#features/photos/server/privacy.ts';
import { letterFileRetention } from '#features/reports/service-letters/server/privacy.ts';
import {
  KIND_NAMES,
  type Kind,
  type RetentionChange,
} from '#features/schools/district-settings/retention-periods.ts';
import { entryRetention, exportRetention } from '#features/time-entries/server/privacy.ts';
import { expiredAuditAddresses, expiredAuditEvents, recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import { getServerStates, setServerState } from '#server/db/server-state.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { expiredEmails } from '#server/email/outbox.ts';
import { expiredCounters } from '#server/http/rate-limit.ts';
import type { BatchPosition, Cutoff, ExpiringRows } from '#server/personal-data/expired-rows-store.ts';
import { lockLegalHolds } from '#server/personal-data/legal-hold-store.ts';
import { readRetentionPeriods, retentionCutoff } from './periods.ts';

/** The tables that contain the rows of each kind. */
export const TABLES_BY_KIND: Readonly<Record<Kind, readonly ExpiringRows[]>> = {
  entries: entryRetention,
  photos: [photoRetention],
  audit: [expiredAuditEvents],
  addresses: [expiredAuditAddresses],
  mails: [expiredEmails],
  sessions: [agedSessions],
  signInFailures: [expiredCounters],
  exports: [exportRetention, letterFileRetention],
  imports: [peopleImportRetention, hoursImportRetention],
};

// A batch blocks all other writers on SQLite, so its size adapts to take about BATCH_MS.
const BATCH_MS = 25;
const ROWS = { first: 50, least: 5, most: 1000 } as const;
/** The pause that lets other requests write between two batches. */
const PAUSE_MS = 5;

/** The name of the daily cleanup job. */
export const RETENTION_JOB = 'retention';

const stateName = (kind: Kind) => `retention:${kind}`;

/**
 * Deletes records older than their retention period, kind by kind in small batches, and records the number of each in the audit
 * log. Returns false if `mustStop` ended it early.
 */
export async function deleteExpiredRecords(
  deps: Deps,
  mustStop: () => boolean = () => false,
): Promise<boolean> {
  const periods = await readRetentionPeriods(deps.database.db, deps.clock.now());
  for (const kind of KIND_NAMES) {
    const period = periods[kind];
    if (period === null) continue;
    const until = retentionCutoff(deps, deps.clock.now(), kind, period);
    let deleted = 0;
    let isComplete = true;
    for (const aged of TABLES_BY_KIND[kind]) {
      const done = await deleteKind(deps, aged, until, mustStop);
      deleted += done.deleted;
      isComplete &&= done.isComplete;
    }
    await saveDeletionCount(deps, kind, deleted);
    if (!isComplete) return false;
    if (kind === 'photos' && deleted > 0) await removeLeftovers(deps);
  }
  return true;
}

/** Counts, for each given kind, the records that are older than its period and not under a legal hold. */
export async function countExpiredRecords(given: Deps, periods: RetentionChange) {
  const deps = withConnectionPool(given, 'reports');
  const now = deps.clock.now();
  const deletes: { kind: Kind; count: number }[] = [];
  for (const kind of KIND_NAMES) {
    const period = periods[kind];
    if (period === undefined) continue;
    let count = 0;
    for (const aged of period === null ? [] : TABLES_BY_KIND[kind]) {
      count += await aged.count(deps.database.db, retentionCutoff(deps, now, kind, period ?? 0));
    }
    deletes.push({ kind, count });
  }
  return deletes;
}

/** Returns when the cleanup last processed each kind, and how many records it deleted. */
export async function readLastDeletions(deps: Deps) {
  const states = await getServerStates(deps.database.db, KIND_NAMES.map(stateName));
  return KIND_NAMES.map((kind) => {
    const last = states.get(stateName(kind));
    return {
      kind,
      lastRunAt: last?.at ?? null,
      lastDeleted: last === undefined ? null : Number(last.value),
    };
  });
}

async function deleteKind(deps: Deps, aged: ExpiringRows, until: Cutoff, mustStop: () => boolean) {
  let deleted = 0;
  let after: BatchPosition | undefined;
  let limit: number = ROWS.first;
  for (;;) {
    if (mustStop()) return { deleted, isComplete: false };
    const batch = { until, after, limit };
    let took = 0;
    const { removed, end } = await transaction(deps.database, async (trx) => {
      const began = performance.now();
      await lockLegalHolds(trx);
      const found = await aged.remove(trx, batch);
      took = performance.now() - began;
      return found;
    });
    deleted += removed;
    if (end === undefined) return { deleted, isComplete: true };
    after = end;
    limit =
      took > BATCH_MS
        ? Math.max(ROWS.least, Math.floor(limit / 2))
        : Math.min(ROWS.most, Math.ceil(limit * 1.5));
    await sleep(PAUSE_MS);
  }
}

async function saveDeletionCount(deps: Deps, kind: Kind, deleted: number): Promise<void> {
  const at = deps.clock.now();
  await transaction(deps.database, async (trx) => {
    await setServerState(trx, stateName(kind), String(deleted), at);
    if (deleted === 0) return;
    const system = { userId: null, at, address: null, requestId: null };
    await recordEvent(trx, system, {
      action: 'retention.delete',
      subject: 'system',
      subjectId: null,
      after: { kind, deleted },
    });
  });
}
