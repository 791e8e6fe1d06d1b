import { recordEvent } from '#server/audit-log.ts';
import { transaction } from '#server/db/database.ts';
import { type Deps, withConnectionPool } from '#server/deps.ts';
import { type Acting, actorOf } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { clockJump } from '#server/jobs/clock-guard.ts';
import { jobDueSince } from '#server/jobs/daily-jobs.ts';
import { JOB_STATE_PREFIX, runJobAttempt } from '#server/jobs/job-attempt.ts';
import { serverSingleton } from '#server/process/server-singleton.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { addDays, dayIn, hourIn, type Instant, plusMilliseconds, startOfDay } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { type Job, messages } from '../contract.ts';
import { jobTitle } from './job-titles.ts';
import { findServerStates } from './store.ts';

/**
 * A background job. With `fromHour` it runs once a day or week, at or after that hour in the district's time zone. Without it,
 * it runs hourly.
 */
export type ServerJob = Readonly<{
  name: string;
  fromHour: number | undefined;
  isWeekly?: boolean | undefined;
  run: (deps: Deps) => Promise<unknown>;
}>;

const HOUR_MS = 3_600_000;

/** Returns every job with its last and next run. */
export async function readJobs(deps: Deps, jobs: readonly ServerJob[]): Promise<Job[]> {
  const { db } = deps.database;
  const ran = new Map((await findServerStates(db, JOB_STATE_PREFIX.ran)).map((note) => [note.name, note]));
  const failed = new Map(
    (await findServerStates(db, JOB_STATE_PREFIX.failed)).map((note) => [note.name, note]),
  );
  return jobs.map((job) => {
    const last = ran.get(`${JOB_STATE_PREFIX.ran}${job.name}`);
    return {
      name: job.name,
      title: jobTitle(deps, job.name),
      lastRunAt: last?.at ?? null,
      lastMilliseconds: last === undefined ? null : Number(last.value),
      lastError: failed.get(`${JOB_STATE_PREFIX.failed}${job.name}`)?.value ?? null,
      nextRunAt: nextRun(deps, job, last?.at),
    };
  });
}

const runningOf = serverSingleton(() => new Set<string>());

/**
 * Runs a job now and waits for it to finish. Throws 404 for an unknown job, 409 while another request runs it or while jobs are
 * paused after a clock jump.
 */
export async function runJobNow(
  deps: Deps,
  jobs: readonly ServerJob[],
  { viewer, request }: Acting,
  name: string,
): Promise<{ ok: boolean; job: Job; message: string }> {
  const job = jobs.find((one) => one.name === name);
  if (job === undefined) throw errors.notFound(messages.jobNotFound);
  if ((await clockJump(deps)) !== undefined) throw errors.conflict(messages.clockPaused);
  const names = runningOf(deps);
  if (names.has(name)) throw errors.conflict(messages.jobRunning);
  names.add(name);
  try {
    await transaction(deps.database, (trx) =>
      recordEvent(trx, actorOf(viewer, request), {
        action: 'system.job-run',
        subject: 'system',
        subjectId: null,
        after: { job: name },
      }),
    );
    const jobDeps = withConnectionPool(deps, 'jobs');
    const ok = await runJobAttempt(jobDeps, name, () => job.run(jobDeps));
    const [updated] = await readJobs(deps, [job]);
    return {
      ok,
      job: assertDefined(updated),
      message: translate(deps, ok ? messages.jobRan : messages.jobFailed),
    };
  } finally {
    names.delete(name);
  }
}

function nextRun(
  { config, clock }: Deps,
  { fromHour, isWeekly = false }: ServerJob,
  last: Instant | undefined,
): Instant | null {
  if (fromHour === undefined) return last === undefined ? null : plusMilliseconds(last, HOUR_MS);
  const zone = config.timeZone;
  const now = clock.now();
  const today = dayIn(zone, now);
  const since = jobDueSince({ isWeekly }, today);
  const lastDay = last && dayIn(zone, last);
  // A day in the future was stored while the clock was wrong.
  const hasRun = lastDay !== undefined && lastDay >= since && lastDay <= addDays(today, 1);
  // Jobs are checked every minute, so an overdue one runs now.
  if (!hasRun && hourIn(zone, now) >= fromHour) return now;
  return instantAtHour(zone, hasRun ? addDays(since, isWeekly ? 7 : 1) : today, fromHour);
}

// Corrects for the two days of the year on which the clock changes between midnight and this hour.
function instantAtHour(zone: string, day: ReturnType<typeof dayIn>, hour: number): Instant {
  const at = plusMilliseconds(startOfDay(zone, day), hour * HOUR_MS);
  return plusMilliseconds(at, (hour - hourIn(zone, at)) * HOUR_MS);
}
