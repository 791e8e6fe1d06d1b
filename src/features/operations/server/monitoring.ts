import { statfs } from 'node:fs/promises';
import { ROLLUP_CHECK_NAME } from '#features/time-entries/rollups/server/rollups.ts';
import { readBackupState, readLogReplicationState } from '#server/backup/backup-status.ts';
import { emailFailureDaily, type SendFailureEmail } from '#server/backup/daily-failure-email.ts';
import { transaction } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import { countUnsent } from '#server/email/outbox.ts';
import { JOB_STATE_PREFIX } from '#server/jobs/job-attempt.ts';
import { type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import { countHours, findServerStates, listRunningExports, listRunningSyncs } from './store.ts';

export type MonitoredValues = Awaited<ReturnType<typeof readMonitoredValues>>;

/** Reads the current values for monitoring. Ages are in seconds. An age is undefined if the event never happened. */
export async function readMonitoredValues({ database, clock }: Deps) {
  const { db } = database;
  const now = clock.now();
  const ageOf = (at: Instant) => Math.max(0, (millisecondsOf(now) - millisecondsOf(at)) / 1_000);
  const mail = await countUnsent(db);
  const failed = await findServerStates(db, JOB_STATE_PREFIX.failed);
  const failing = new Set(failed.map(({ name }) => name.slice(JOB_STATE_PREFIX.failed.length)));
  const backup = await readBackupState(db);
  const [sums] = await findServerStates(db, ROLLUP_CHECK_NAME);
  const ran = await findServerStates(db, JOB_STATE_PREFIX.ran);
  return {
    queues: {
      mail: mail.waiting,
      mail_failed: mail.failed,
      exports: (await listRunningExports(db)).length,
      syncs: (await listRunningSyncs(db)).length,
      jobs_failed: failing.size,
    },
    oldestMailAge: mail.oldestAt === null ? undefined : ageOf(mail.oldestAt),
    backup: {
      age: backup.lastAt === null ? undefined : ageOf(backup.lastAt),
      isFailing: backup.lastError !== null,
    },
    logCopy: { isFailing: (await readLogReplicationState(db)).lastError !== null },
    sums: sums && { age: ageOf(sums.at), differing: Number(sums.value) },
    jobs: ran.map(({ name, value, at }) => {
      const job = name.slice(JOB_STATE_PREFIX.ran.length);
      return {
        name: job,
        lastRun: millisecondsOf(at) / 1_000,
        seconds: Number(value) / 1_000,
        hasFailed: failing.has(job),
      };
    }),
    ...(await countHours(db)),
  };
}

/** Returns the space of the data disk in bytes, or undefined if it cannot be read. */
export async function diskSpace(folder: string): Promise<{ free: number; total: number } | undefined> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { free: bavail * bsize, total: blocks * bsize };
  } catch {
    return undefined;
  }
}

const GIGABYTE = 1_000_000_000;
/** Free bytes below which the operator gets a warning, and below which the disk counts as full. */
export const DISK = { warningBytes: GIGABYTE, errorBytes: GIGABYTE / 5 } as const;

const DISK_EMAIL_KEY = 'disk:told';

/**
 * Emails administrators once a day while the data disk is full or nearly full, as long as the email can be stored, and once
 * when there is room again.
 */
export async function watchDisk(deps: Deps, sendEmail: SendFailureEmail): Promise<void> {
  const { database, diskReserve, config } = deps;
  const free = (await diskSpace(config.dataDir))?.free;
  const isFull = (database.engine === 'sqlite' && diskReserve.isReleased()) || (free ?? 0) < DISK.errorBytes;
  const store = () =>
    transaction(database, (trx) =>
      emailFailureDaily(
        trx,
        deps,
        { key: DISK_EMAIL_KEY, sendFailureEmail: sendEmail },
        isFull ? 'full' : null,
      ),
    );
  await store().catch((error: unknown) => {
    if (databaseFailure(error) !== 'full' || !diskReserve.release()) throw error;
    return store();
  });
}
