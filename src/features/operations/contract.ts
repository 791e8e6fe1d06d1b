import * as z from 'zod/mini';
import { emailOr, messages as userMessages } from '#features/users/contract.ts';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { pageQuery, pageReply } from '#shared/list-query.ts';
import type text from './messages.staff.en.json';

const say = messageFactory<typeof text>('operations');

/** Messages of the System screen. */
export const messages = {
  failedToLoad: say('failedToLoad'),
  failedToLoadMail: say('failedToLoadMail'),
  letterRetried: say('letterRetried'),
  letterDropped: say('letterDropped'),
  letterGone: say('letterGone'),
  letterOver: say('letterOver'),
  letterBeingSent: say('letterBeingSent'),
  testPosted: (email: string) => say('testPosted', { email }),
  testInFolder: (email: string) => say('testInFolder', { email }),
  testTooMany: say('testTooMany'),
  jobNotFound: say('jobNotFound'),
  jobRan: say('jobRan'),
  jobFailed: say('jobFailed'),
  jobRunning: say('jobRunning'),
  clockPaused: say('clockPaused'),
  clockConfirmed: say('clockConfirmed'),
  clockOtherDay: say('clockOtherDay'),
  backupMailSaved: say('backupMailSaved'),
  backupBegun: say('backupBegun'),
  backupIsRunning: say('backupIsRunning'),
  backupIsOff: say('backupIsOff'),
} as const;

const WholeNumber = z.number();

/**
 * A background job. `lastMilliseconds` is the duration of the last run. `lastError` is the class of the error that ended it,
 * never its text, which may name people.
 */
export const Job = z.object({
  name: z.string(),
  title: z.string(),
  lastRunAt: z.nullable(Instant),
  lastMilliseconds: z.nullable(WholeNumber),
  lastError: z.nullable(z.string()),
  nextRunAt: z.nullable(Instant),
});
export type Job = z.infer<typeof Job>;

/** A problem the operator should fix, and how. */
export const Warning = z.object({ name: z.string(), message: z.string(), remedy: z.string() });
export type Warning = z.infer<typeof Warning>;

/** Requests with a server error in the last 7 days, by route and status. */
export const FailureGroup = z.object({
  method: z.string(),
  route: z.string(),
  status: WholeNumber,
  count: WholeNumber,
  lastAt: Instant,
  lastId: z.string(),
});

/**
 * The server's backup. `isOn`: `BACKUP_TO` is set; `to`: the storage of the last backup or, without one, the configured
 * storage. During a backup `runningSince` is its start, `progress` the number of stored photo files, and `nextAt` is null.
 * `lastRestoreTestAt` is when a restore was last tested.
 */
export const Backup = z.object({
  isOn: z.boolean(),
  lastAt: z.nullable(Instant),
  lastMilliseconds: z.nullable(WholeNumber),
  lastBytes: z.nullable(WholeNumber),
  lastError: z.nullable(z.string()),
  to: z.nullable(z.string()),
  nextAt: z.nullable(Instant),
  runningSince: z.nullable(Instant),
  progress: z.nullable(z.object({ done: WholeNumber, total: WholeNumber })),
  lastRestoreTestAt: z.nullable(Instant),
});
export type Backup = z.infer<typeof Backup>;

/**
 * `notes`: what this version changes for an operator. `isWatched`: `RELEASE_FEED_URL` is set. Then `newest` is a newer
 * version, `checkedAt` the time of the last check, and `error` why the last check failed.
 */
export const Release = z.object({
  notes: z.nullable(z.string()),
  isWatched: z.boolean(),
  newest: z.nullable(z.object({ version: z.string(), notes: z.string() })),
  checkedAt: z.nullable(Instant),
  error: z.nullable(z.string()),
});
export type Release = z.infer<typeof Release>;

/**
 * The server's status. Sizes are in bytes; unknown values are null. `by` is the user who started the work, or null for the
 * server itself. `imports` includes only those of the server that replies.
 */
export const System = z.object({
  version: z.string(),
  release: Release,
  startedAt: Instant,
  engine: z.enum(['sqlite', 'postgres']),
  database: z.object({ bytes: z.nullable(WholeNumber), migrations: WholeNumber }),
  disk: z.object({ freeBytes: z.nullable(WholeNumber) }),
  photos: z.object({ count: WholeNumber, bytes: WholeNumber, store: z.enum(['disk', 's3']) }),
  mail: z.object({ waiting: WholeNumber, failed: WholeNumber, oldestAt: z.nullable(Instant) }),
  /** Present if there is no mail server: the number of emails written to the folder instead. */
  mailFolder: z.optional(z.object({ files: z.nullable(WholeNumber) })),
  jobs: z.array(Job),
  backup: Backup,
  warnings: z.array(Warning),
  exports: z.array(
    z.object({
      id: Id,
      format: z.enum(['csv', 'xlsx']),
      by: z.string(),
      done: WholeNumber,
      total: WholeNumber,
      startedAt: Instant,
    }),
  ),
  syncs: z.array(
    z.object({
      id: Id,
      kind: z.enum(['manual', 'nightly']),
      by: z.nullable(z.string()),
      done: WholeNumber,
      total: WholeNumber,
      requestedAt: Instant,
      waitingUntil: z.nullable(Instant),
    }),
  ),
  imports: z.array(z.object({ by: z.string(), startedAt: Instant })),
  /** Imports of hours that are running or being undone (`isUndone`); `done` and `total` are rows. */
  hoursImports: z.array(
    z.object({
      id: Id,
      /** Null if the account was deleted. */
      by: z.nullable(z.string()),
      startedAt: Instant,
      isUndone: z.boolean(),
      done: z.int(),
      total: z.int(),
    }),
  ),
  failures: z.array(FailureGroup),
});
export type System = z.infer<typeof System>;

export const getSystem = endpoint('GET', '/admin/system', { reply: System });

/**
 * An email that is not sent yet. `to` is null if it can no longer be decrypted. `reason` is a code for the failure of the last
 * attempt, never the mail server's text. A failed email is not retried automatically.
 */
export const QueuedEmail = z.object({
  id: Id,
  kind: z.string(),
  to: z.nullable(z.string()),
  createdAt: Instant,
  attempts: WholeNumber,
  dueAt: Instant,
  state: z.enum(['waiting', 'failed']),
  reason: z.nullable(z.string()),
});
export type QueuedEmail = z.infer<typeof QueuedEmail>;

/** Lists pending and failed emails, newest first, without their text or links. */
export const listMailQueue = endpoint('GET', '/admin/mail-queue', {
  query: z.object(pageQuery),
  reply: z.object({ letters: z.array(QueuedEmail), ...pageReply }),
});

const emailId = z.object({ id: IdText });
const messageReply = z.object({ message: z.string() });

/** Sends an email now instead of when it is due. */
export const retryEmail = endpoint('POST', '/admin/mail-queue/:id/retry', {
  params: emailId,
  reply: messageReply,
});

/** Deletes an email from the queue without sending it. */
export const discardEmail = endpoint('DELETE', '/admin/mail-queue/:id', {
  freshProof: 'always',
  params: emailId,
  reply: messageReply,
});

/** The recipient of a test email, the viewer by default. */
export const TestMail = z.object({ to: z.optional(z.nullable(emailOr(userMessages.emailRequired))) });

/** The input of the test email form. */
export const TestMailForm = z.object({ to: emailOr(userMessages.emailRequired) });

export const sendTestMail = endpoint('POST', '/admin/system/test-mail', {
  body: TestMail,
  reply: messageReply,
});

/** Runs a job now; some delete data permanently. `ok` is whether it succeeded. */
export const runJob = endpoint('POST', '/admin/system/jobs/:name/run', {
  freshProof: 'always',
  params: z.object({ name: z.string().check(z.maxLength(60)) }),
  reply: z.object({ ok: z.boolean(), job: Job, message: z.string() }),
  isLong: true,
});

/**
 * Confirms the server's date, so that jobs resume after a clock jump. Returns 409 if the date has changed since the viewer saw
 * it.
 */
export const confirmServerDate = endpoint('POST', '/admin/system/clock/confirm', {
  body: z.object({ today: CalendarDate }),
  reply: z.object({ message: z.string() }),
});

/** Starts a backup without waiting for it. Returns 409 during a backup or if `BACKUP_TO` is not set. */
export const runBackup = endpoint('POST', '/admin/system/backup/run', {
  reply: z.object({ backup: Backup, message: z.string() }),
});

/** Whether the viewer gets emails when backups fail and when they work again. */
export const BackupMail = z.object({ isWanted: z.boolean() });

export const getBackupMail = endpoint('GET', '/admin/system/backup-mail', {
  reply: z.object({ mail: BackupMail }),
});

/** Changes the viewer's preference; an omitted field stays. */
export const setBackupMail = endpoint('PUT', '/admin/system/backup-mail', {
  body: z.partial(BackupMail),
  reply: z.object({ mail: BackupMail, message: z.string() }),
});
