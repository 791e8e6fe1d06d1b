import { statSync } from 'node:fs';
import { isAccessDecided, readStoredDistrict } from '#features/schools/district-settings/server/settings.ts';
import { ROLLUP_CHECK_NAME } from '#features/time-entries/rollups/server/rollups.ts';
import { readBackupState, readLogReplicationState } from '#server/backup/backup-status.ts';
import type { Deps } from '#server/deps.ts';
import { emailSettingsDiffer } from '#server/email/email-settings-check.ts';
import { UNREADABLE_EMAIL_SERVER } from '#server/email/mailer.ts';
import { countUnsent } from '#server/email/outbox.ts';
import { clockJump } from '#server/jobs/clock-guard.ts';
import { JOB_STATE_PREFIX } from '#server/jobs/job-attempt.ts';
import { listWarnings } from '#server/system-warning-store.ts';
import { formatMoment, type Instant, millisecondsOf } from '#shared/calendar-date.ts';
import type { Message } from '#shared/i18n/message.ts';
import { jobTitle } from './job-titles.ts';
import { DISK, diskSpace } from './monitoring.ts';
import { serverMessage as say } from './server-messages.ts';
import { findServerStates, isDriveDisconnected } from './store.ts';

/** The severity: `note` is information, `warning` and `error` need fixing. */
export type Level = 'ok' | 'note' | 'warning' | 'error';

/** The result of a check with its remedy, which is null if there is nothing to do. */
export type HealthFinding = Readonly<{
  name: string;
  level: Level;
  message: Message;
  remedy: Message | null;
}>;

/** The part of `Deps` that the checks need, so that they also run without a server. */
export type HealthCheckContext = Pick<Deps, 'config' | 'clock' | 'database' | 'translator'>;

const HOUR_MS = 3_600_000;
const MAIL_HOURS = 1;
const BACKUP_DAYS = 2;
const RESTORE_DAYS = 35;
const [MEGABYTE, GIGABYTE] = [1_000_000, 1_000_000_000];

/** Runs the quick checks. The System screen shows their warnings, and doctor starts with them. */
export async function runQuickChecks(context: HealthCheckContext): Promise<HealthFinding[]> {
  return [
    await checkAccess(context),
    await checkProxy(context),
    await checkClock(context),
    await checkDisk(context),
    await checkEmail(context),
    await checkJobs(context),
    await checkTotals(context),
    await checkBackup(context),
    await checkBackupDisk(context),
    await checkRestore(context),
    await checkLogCopy(context),
    await checkDrive(context),
  ];
}

/** Returns a finding without a problem. */
export function ok(name: string, message: Message): HealthFinding {
  return finding(name, 'ok', message, null);
}

/** Returns a finding. */
export function finding(name: string, level: Level, message: Message, remedy: Message | null): HealthFinding {
  return { name, level, message, remedy };
}

/** Whether nothing needs fixing. */
export function isHealthy({ level }: Pick<HealthFinding, 'level'>): boolean {
  return level === 'ok' || level === 'note';
}

async function checkAccess({ config, database }: HealthCheckContext): Promise<HealthFinding> {
  if (isAccessDecided(config, await readStoredDistrict(database.db)))
    return ok('access', say('accessDecided'));
  return finding('access', 'warning', say('accessOpen'), say('accessOpenRemedy'));
}

async function checkProxy({ database }: HealthCheckContext): Promise<HealthFinding> {
  const [found] = await listWarnings(database.db);
  if (found === undefined) return ok('proxy', say('proxyOk'));
  const address = found.detail;
  return finding('proxy', 'warning', say('proxyUnknown', { address }), say('proxyRemedy', { address }));
}

async function checkClock(context: HealthCheckContext): Promise<HealthFinding> {
  const jump = await clockJump(context);
  if (jump === undefined) return ok('clock-jump', say('clockJumpOk'));
  const { translator, config } = context;
  const moment = (at: Instant) => formatMoment(at, translator.language, config.timeZone);
  const message = say('clockJumped', { from: moment(jump.from), to: moment(jump.to) });
  return finding('clock-jump', 'error', message, say('clockJumpedRemedy'));
}

async function checkDisk({ config }: HealthCheckContext): Promise<HealthFinding> {
  const space = await diskSpace(config.dataDir);
  if (space === undefined) {
    return finding('disk', 'error', say('diskUnknown'), say('folderRemedy'));
  }
  const free = formatSize(space.free);
  if (space.free >= DISK.warningBytes) return ok('disk', say('diskOk', { free }));
  const level = space.free < DISK.errorBytes ? 'error' : 'warning';
  return finding('disk', level, say('diskLow', { free }), say('diskRemedy'));
}

async function checkEmail({ config, database, clock }: HealthCheckContext): Promise<HealthFinding> {
  if (config.smtpUrl === UNREADABLE_EMAIL_SERVER) {
    return finding('mail', 'error', say('mailSealed'), say('mailSealedRemedy'));
  }
  if (await emailSettingsDiffer({ database, clock })) {
    return finding('mail', 'error', say('mailDiffers'), say('mailDiffersRemedy'));
  }
  const { waiting, failed, oldestAt } = await countUnsent(database.db);
  const hours = oldestAt === null ? 0 : hoursSince(clock.now(), oldestAt);
  if (failed > 0) {
    return finding('mail', 'warning', say('mailFailed', { count: failed }), say('mailFailedRemedy'));
  }
  if (hours > MAIL_HOURS) {
    const message = say('mailStuck', { count: waiting, hours: Math.floor(hours) });
    return finding('mail', 'warning', message, say('mailStuckRemedy'));
  }
  if (config.smtpUrl === undefined) {
    return finding('mail', 'note', say('mailOff'), say('mailOffRemedy'));
  }
  return ok('mail', say('mailOk', { count: waiting }));
}

async function checkJobs(deps: HealthCheckContext): Promise<HealthFinding> {
  const failed = await findServerStates(deps.database.db, JOB_STATE_PREFIX.failed);
  if (failed.length === 0) return ok('jobs', say('jobsOk'));
  const jobs = failed
    .map(({ name, value }) => `${jobTitle(deps, name.slice(JOB_STATE_PREFIX.failed.length))} (${value})`)
    .join(', ');
  return finding('jobs', 'warning', say('jobsFailed', { jobs }), say('jobsRemedy'));
}

async function checkTotals({ database }: HealthCheckContext): Promise<HealthFinding> {
  const [state] = await findServerStates(database.db, ROLLUP_CHECK_NAME);
  if (state === undefined || state.value === '0') {
    return ok('sums', say(state === undefined ? 'sumsUnchecked' : 'sumsOk'));
  }
  return totalsMismatchFinding(Number(state.value));
}

/** The finding for rollups that differ from the entries. */
export function totalsMismatchFinding(count: number): HealthFinding {
  return finding('sums', 'error', say('sumsDiffer', { count }), say('sumsRemedy'));
}

async function checkBackup({ database, clock }: HealthCheckContext): Promise<HealthFinding> {
  const { lastAt, lastError } = await readBackupState(database.db);
  const warn = (message: Message, remedy = say('backupRemedy')) =>
    finding('backup', 'warning', message, remedy);
  if (lastError !== null) {
    return warn(say('backupFailed', { reason: lastError }), say('backupFailedRemedy'));
  }
  if (lastAt === null) return warn(say('backupNone'));
  const days = Math.floor(hoursSince(clock.now(), lastAt) / 24);
  return days >= BACKUP_DAYS ? warn(say('backupOld', { count: days })) : ok('backup', say('backupOk'));
}

async function checkLogCopy({ config, database }: HealthCheckContext): Promise<HealthFinding> {
  if (config.backupLogTo === undefined) return ok('log-copy', say('logCopyOff'));
  const { to, lastAt, lastError } = await readLogReplicationState(database.db);
  if (to !== null && lastError === null && lastAt !== null) return ok('log-copy', say('logCopyOk'));
  const message = lastError === null ? say('logCopyNone') : say('logCopyFailed', { reason: lastError });
  const level = lastError === null ? 'warning' : 'error';
  return finding('log-copy', level, message, say('logCopyRemedy'));
}

async function checkBackupDisk({ config, database }: HealthCheckContext): Promise<HealthFinding> {
  const { to } = await readBackupState(database.db);
  const folder = to === null ? undefined : statSync(to, { throwIfNoEntry: false });
  const data = statSync(config.dataDir, { throwIfNoEntry: false });
  if (folder === undefined || folder.dev !== data?.dev) return ok('backup-disk', say('backupDiskOk'));
  return finding('backup-disk', 'warning', say('backupSameDisk'), say('backupDiskRemedy'));
}

// A backup that was never restored is unproven. This is a note and not a warning, because nothing is broken.
async function checkRestore({ database, clock }: HealthCheckContext): Promise<HealthFinding> {
  const { lastAt, lastRestoreTestAt } = await readBackupState(database.db);
  if (lastAt === null) return ok('restore', say('restoreNone'));
  const note = (message: Message) => finding('restore', 'note', message, say('restoreRemedy'));
  if (lastRestoreTestAt === null) return note(say('restoreUntested'));
  const count = Math.floor(hoursSince(clock.now(), lastRestoreTestAt) / 24);
  return count > RESTORE_DAYS ? note(say('restoreOld', { count })) : ok('restore', say('restoreOk'));
}

async function checkDrive({ config, database }: HealthCheckContext): Promise<HealthFinding> {
  if (config.google === undefined) return ok('drive', say('driveOff'));
  if (!(await isDriveDisconnected(database.db))) return ok('drive', say('driveOk'));
  return finding('drive', 'warning', say('driveLost'), say('driveRemedy'));
}

function hoursSince(now: Instant, then: Instant): number {
  return (millisecondsOf(now) - millisecondsOf(then)) / HOUR_MS;
}

function formatSize(bytes: number): string {
  if (bytes < GIGABYTE) return `${Math.floor(bytes / MEGABYTE)} MB`;
  return `${(bytes / GIGABYTE).toFixed(bytes < 10 * GIGABYTE ? 1 : 0)} GB`;
}
