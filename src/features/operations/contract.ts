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

const Whole = z.number();

/**
 * A job that the server does by itself; `title` is its name in words. `lastMilliseconds` is how long the last run took, `lastError` the kind of error
 * that it ended with (never its text, which may name people).
 */
export const Job = z.object({
  name: z.string(),
  title: z.string(),
  lastRunAt: z.nullable(Instant),
  lastMilliseconds: z.nullable(Whole),
  lastError: z.nullable(z.string()),
  nextRunAt: z.nullable(Instant),
});
export type Job = z.infer<typeof Job>;

/** Something that an operator should mend, and how, in words. */
export const Warning = z.object({ name: z.string(), message: z.string(), remedy: z.string() });
export type Warning = z.infer<typeof Warning>;

/** Requests that failed through the servers' fault in the last 7 days, by route and status. */
export const FailureGroup = z.object({
  method: z.string(),
  route: z.string(),
  status: Whole,
  count: Whole,
  lastAt: Instant,
  lastId: z.string(),
});

/**
 * The server's own backup. `isOn` is whether `BACKUP_TO` is set, `to` where the last one went. While one is made,
 * `runningSince` is when it began and `progress` how many photo files are stored; `nextAt` is null then.
 * `lastRestoreTestAt` is when one was last restored.
 */
export const Backup = z.object({
  isOn: z.boolean(),
  lastAt: z.nullable(Instant),
  lastMilliseconds: z.nullable(Whole),
  lastBytes: z.nullable(Whole),
  lastError: z.nullable(z.string()),
  to: z.nullable(z.string()),
  nextAt: z.nullable(Instant),
  runningSince: z.nullable(Instant),
  progress: z.nullable(z.object({ done: Whole, total: Whole })),
  lastRestoreTestAt: z.nullable(Instant),
});
export type Backup = z.infer<typeof Backup>;

/**
 * `notes` is what this version changes for an operator. `isWatched` is whether `RELEASE_FEED_URL` is set; then `newest` is
 * a version newer than this one, `checkedAt` when that was asked, and `error` why it could not be asked the last time.
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
 * How the server is. Sizes are in bytes; what cannot be found out is null. `by` is who began it, null for the server
 * itself; `imports` are those of the server that answers.
 */
export const System = z.object({
  version: z.string(),
  release: Release,
  startedAt: Instant,
  engine: z.enum(['sqlite', 'postgres']),
  database: z.object({ bytes: z.nullable(Whole), migrations: Whole }),
  disk: z.object({ freeBytes: z.nullable(Whole) }),
  photos: z.object({ count: Whole, bytes: Whole, store: z.enum(['disk', 's3']) }),
  mail: z.object({ waiting: Whole, failed: Whole, oldestAt: z.nullable(Instant) }),
  /** There where no mail server is set: how many emails lie in the folder instead. */
  mailFolder: z.optional(z.object({ files: z.nullable(Whole) })),
  jobs: z.array(Job),
  backup: Backup,
  warnings: z.array(Warning),
  exports: z.array(
    z.object({
      id: Id,
      format: z.enum(['csv', 'xlsx']),
      by: z.string(),
      done: Whole,
      total: Whole,
      startedAt: Instant,
    }),
  ),
  syncs: z.array(
    z.object({
      id: Id,
      kind: z.enum(['manual', 'nightly']),
      by: z.nullable(z.string()),
      done: Whole,
      total: Whole,
      requestedAt: Instant,
      waitingUntil: z.nullable(Instant),
    }),
  ),
  imports: z.array(z.object({ by: z.string(), startedAt: Instant })),
  /** Imports of hours at work, or being undone (`isUndone`); `done` and `total` are rows. */
  hoursImports: z.array(
    z.object({
      id: Id,
      /** Null when the account is gone. */
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
 * A letter that was not sent yet. `to` is null when it cannot be read any more; `reason` is a code of the last try,
 * never a mail server's words. A letter that failed is not tried again by itself.
 */
export const QueuedEmail = z.object({
  id: Id,
  kind: z.string(),
  to: z.nullable(z.string()),
  createdAt: Instant,
  attempts: Whole,
  dueAt: Instant,
  state: z.enum(['waiting', 'failed']),
  reason: z.nullable(z.string()),
});
export type QueuedEmail = z.infer<typeof QueuedEmail>;

/** Letters that wait or failed, the newest first; never their text or a link in them. */
export const listMailQueue = endpoint('GET', '/admin/mail-queue', {
  query: z.object(pageQuery),
  reply: z.object({ letters: z.array(QueuedEmail), ...pageReply }),
});

const letterId = z.object({ id: IdText });
const told = z.object({ message: z.string() });

/** Sends a letter at once, instead of when it is due. */
export const retryEmail = endpoint('POST', '/admin/mail-queue/:id/retry', {
  params: letterId,
  reply: told,
});

/** Takes a letter out of the queue: nobody gets it. */
export const discardEmail = endpoint('DELETE', '/admin/mail-queue/:id', {
  freshProof: 'always',
  params: letterId,
  reply: told,
});

/** The address for a test letter; without one it goes to whoever asks. */
export const TestMail = z.object({ to: z.optional(z.nullable(emailOr(userMessages.emailRequired))) });

/** What the form sends. */
export const TestMailForm = z.object({ to: emailOr(userMessages.emailRequired) });

export const sendTestMail = endpoint('POST', '/admin/system/test-mail', { body: TestMail, reply: told });

/** Runs a job now; some delete for good. `ok` is whether it succeeded. */
export const runJob = endpoint('POST', '/admin/system/jobs/:name/run', {
  freshProof: 'always',
  params: z.object({ name: z.string().check(z.maxLength(60)) }),
  reply: z.object({ ok: z.boolean(), job: Job, message: z.string() }),
  isLong: true,
});

/** Says that the server's date is right, so that jobs go on after the clock jumped. 409 when it is another day by now. */
export const confirmServerDate = endpoint('POST', '/admin/system/clock/confirm', {
  body: z.object({ today: CalendarDate }),
  reply: z.object({ message: z.string() }),
});

/** Begins a backup now and does not wait for it. 409 while one is made, and where `BACKUP_TO` is not set. */
export const runBackup = endpoint('POST', '/admin/system/backup/run', {
  reply: z.object({ backup: Backup, message: z.string() }),
});

/** Whether an administrator is written to when backups fail and when they work again. */
export const BackupMail = z.object({ isWanted: z.boolean() });

export const getBackupMail = endpoint('GET', '/admin/system/backup-mail', {
  reply: z.object({ mail: BackupMail }),
});

/** The viewer's own choice; left out, it stays. */
export const setBackupMail = endpoint('PUT', '/admin/system/backup-mail', {
  body: z.partial(BackupMail),
  reply: z.object({ mail: BackupMail, message: z.string() }),
});
