import { record } from '#server/audit-log.ts';
import { readBackupState, withoutSecrets } from '#server/backup/backup-status.ts';
import { backUpNow, readBackupSchedule } from '#server/backup/nightly-backup.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { text } from '#server/http/error-replies.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { baseMessages } from '#shared/common-messages.ts';
import { refuse } from '#shared/errors.ts';
import { type Backup, messages } from '../contract.ts';

/** What is known about the server's own backup. */
export async function readBackup(deps: Deps): Promise<Backup> {
  const { db } = deps.database;
  const { lastErrorAt: _, ...state } = await readBackupState(db);
  const { backup } = deps.config;
  const to = state.to ?? (backup === undefined ? null : withoutSecrets(backup.to));
  return { ...state, to, isOn: backup !== undefined, ...(await readBackupSchedule(db, deps)) };
}

/** Begins a backup. 409 while one is made, and where there is no place for it. */
export async function startBackup(
  given: Deps,
  { viewer, request }: Acting,
): Promise<{ backup: Backup; message: string }> {
  const deps = withConnectionPool(given, 'jobs');
  if (deps.config.backup === undefined) throw refuse.conflict(messages.backupIsOff);
  const outcome = await backUpNow(deps, (trx) =>
    record(trx, actorOf(viewer, request), {
      action: 'system.job-run',
      subject: 'system',
      subjectId: null,
      after: { job: 'backup' },
    }),
  );
  if (outcome === 'stopped') throw refuse.unavailable(baseMessages.starting, 1);
  if (outcome === 'running') throw refuse.conflict(messages.backupIsRunning);
  return { backup: await readBackup(deps), message: text(deps, messages.backupBegun) };
}
