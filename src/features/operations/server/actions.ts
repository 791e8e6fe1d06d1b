import { runningImports } from '#features/imports/people/server/actions.ts';
import { recordEvent } from '#server/audit-log.ts';
import { readBackupState, withoutSecrets } from '#server/backup/backup-status.ts';
import { backUpNow, readBackupSchedule } from '#server/backup/nightly-backup.ts';
import { transaction } from '#server/db/database.ts';
import { appliedMigrations } from '#server/db/migrate.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { countEmailFiles } from '#server/email/email-files.ts';
import { countUnsent } from '#server/email/outbox.ts';
import type { FailedRequests } from '#server/http/failed-requests.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { confirmClock } from '#server/jobs/clock-guard.ts';
import { VERSION } from '#server/version.ts';
import { type CalendarDate, dayIn, type Instant } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import { errors } from '#shared/errors.ts';
import { fullName } from '#shared/person-name.ts';
import { type Backup, messages, type System } from '../contract.ts';
import { readJobs, type ServerJob } from './background-jobs.ts';
import { isHealthy, runQuickChecks } from './health-checks.ts';
import { diskSpace } from './monitoring.ts';
import { readRelease } from './release-check.ts';
import {
  countPhotos,
  findNames,
  listRunningExports,
  listRunningHoursImports,
  listRunningSyncs,
  readDatabaseSize,
  saveBackupEmailPreference,
  wantsBackupEmail,
} from './store.ts';

/** Returns the status of the server's backup. */
export async function readBackup(deps: Deps): Promise<Backup> {
  const { db } = deps.database;
  const { lastErrorAt: _, ...state } = await readBackupState(db);
  const { backup } = deps.config;
  const to = state.to ?? (backup === undefined ? null : withoutSecrets(backup.to));
  return { ...state, to, isOn: backup !== undefined, ...(await readBackupSchedule(db, deps)) };
}

/** Starts a backup. Throws 409 during a backup, and if no backup storage is configured. */
export async function startBackup(
  given: Deps,
  { viewer, request }: Acting,
): Promise<{ backup: Backup; message: string }> {
  const deps = withConnectionPool(given, 'jobs');
  if (deps.config.backup === undefined) throw errors.conflict(messages.backupIsOff);
  const outcome = await backUpNow(deps, (trx) =>
    recordEvent(trx, actorOf(viewer, request), {
      action: 'system.job-run',
      subject: 'system',
      subjectId: null,
      after: { job: 'backup' },
    }),
  );
  if (outcome === 'stopped') throw errors.unavailable(commonMessages.starting, 1);
  if (outcome === 'running') throw errors.conflict(messages.backupIsRunning);
  return { backup: await readBackup(deps), message: translate(deps, messages.backupBegun) };
}

/** State that only the running server has. */
export type Running = Readonly<{
  jobs: readonly ServerJob[];
  failures: FailedRequests;
  startedAt: Instant;
}>;

/** Returns the server's status for an administrator. */
export async function readSystem(given: Deps, { jobs, failures, startedAt }: Running): Promise<System> {
  const deps = withConnectionPool(given, 'jobs');
  const { database, config } = deps;
  const { db, engine } = database;
  const findings = await runQuickChecks(deps);
  return {
    version: VERSION,
    release: await readRelease(deps),
    startedAt,
    engine,
    database: {
      bytes: await readDatabaseSize(db, engine).catch(() => null),
      migrations: (await appliedMigrations(database)).length,
    },
    disk: { freeBytes: (await diskSpace(config.dataDir))?.free ?? null },
    photos: { ...(await countPhotos(db)), store: config.photoStoreUrl === undefined ? 'disk' : 's3' },
    mail: await countUnsent(db),
    ...(config.smtpUrl === undefined ? { mailFolder: { files: await countEmailFiles(deps) } } : {}),
    jobs: await readJobs(deps, jobs),
    backup: await readBackup(deps),
    warnings: findings
      .filter((finding) => !isHealthy(finding))
      .map(({ name, message, remedy }) => ({
        name,
        message: translate(deps, message),
        remedy: remedy === null ? '' : translate(deps, remedy),
      })),
    ...(await inProgress(deps)),
    failures: [...(await failures.list())],
  };
}

async function inProgress(
  deps: Deps,
): Promise<Pick<System, 'exports' | 'imports' | 'hoursImports' | 'syncs'>> {
  const { db } = deps.database;
  const imports = runningImports(deps);
  const names = await findNames(
    db,
    imports.map(({ by }) => by),
  );
  return {
    exports: (await listRunningExports(db)).flatMap(({ startedAt, firstName, lastName, ...one }) =>
      startedAt === null ? [] : [{ ...one, startedAt, by: fullName({ firstName, lastName }) }],
    ),
    syncs: (await listRunningSyncs(db)).map(({ firstName, lastName, done, total, ...one }) => ({
      ...one,
      by: firstName === null || lastName === null ? null : fullName({ firstName, lastName }),
      done: Number(done),
      total: Number(total),
    })),
    hoursImports: (await listRunningHoursImports(db)).map(
      ({ id, state, startedAt, firstName, lastName, ...counts }) => ({
        id,
        startedAt,
        by: firstName === null || lastName === null ? null : fullName({ firstName, lastName }),
        isUndone: state === 'undoing',
        done: state === 'undoing' ? counts.undone : counts.made + counts.leftOut,
        total: state === 'undoing' ? counts.made : counts.planned,
      }),
    ),
    imports: imports.map(({ by, startedAt }) => ({ by: names.get(by) ?? '', startedAt })),
  };
}

/** Confirms the server's date as the viewer saw it. Throws 409 if the date has changed since then. */
export async function confirmDate(
  deps: Deps,
  { viewer, request }: Acting,
  { today }: { today: CalendarDate },
): Promise<{ message: string }> {
  const now = deps.clock.now();
  if (dayIn(deps.config.timeZone, now) !== today) throw errors.conflict(messages.clockOtherDay);
  await transaction(deps.database, async (trx) => {
    await confirmClock(trx, now);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'system.clock-confirm',
      subject: 'system',
      subjectId: null,
      after: { today },
    });
  });
  return { message: translate(deps, messages.clockConfirmed) };
}

/** Returns whether the viewer gets emails about backups. */
export async function readBackupEmailPreference(deps: Deps, { userId }: Viewer) {
  return { mail: { isWanted: await wantsBackupEmail(deps.database.db, userId) } };
}

/** Changes whether the viewer gets emails about backups; an omitted field stays. */
export function changeBackupEmailPreference(
  deps: Deps,
  { userId }: Viewer,
  change: { isWanted?: boolean | undefined },
) {
  return transaction(deps.database, async (trx) => {
    const before = await wantsBackupEmail(trx, userId);
    const isWanted = change.isWanted ?? before;
    if (isWanted !== before) await saveBackupEmailPreference(trx, userId, isWanted);
    return { mail: { isWanted }, message: translate(deps, messages.backupMailSaved) };
  });
}
