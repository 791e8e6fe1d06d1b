import { addDays, type CalendarDate, dayIn, hourIn, mondayOf } from '#shared/calendar-date.ts';
import { type Trx, transaction } from '../db/database.ts';
import { changesRows } from '../db/queries/changes-rows.ts';
import type { Deps } from '../deps.ts';
import { type BackgroundJob, startBackgroundJob } from './background-job.ts';
import { runJobAttempt } from './job-attempt.ts';

/**
 * Whether a job that last ran on `last` has run for `today`. A day after tomorrow was stored by a wrong clock and does not
 * count. Tomorrow does, because the time zone may have changed.
 */
export function hasRunOn(last: CalendarDate, today: CalendarDate): boolean {
  return last >= today && last <= addDays(today, 1);
}

/** A job that runs once a day, at or after an hour of the district's day, or once a week from Monday on. */
export type DailyJob = Readonly<{
  name: string;
  fromHour: number;
  isWeekly?: boolean;
}> &
  (
    | Readonly<{ run: (trx: Trx, deps: Deps) => Promise<void> }>
    /** For work that is too long for one transaction. If it must stop it returns false early, and continues the next time. */
    | Readonly<{ runLong: (deps: Deps, mustStop: () => boolean) => Promise<boolean> }>
  );

const LOOK_EVERY_MS = 60_000;

/** Whether jobs may run; checked before every round. */
export type CanRunJobs = () => Promise<boolean>;

/** Runs the daily jobs from now on, while `mayRun` resolves to true. */
export function startDailyJobs(
  deps: Deps,
  jobs: readonly DailyJob[],
  mayRun: CanRunJobs = async () => true,
): BackgroundJob {
  const pace = { everyMs: LOOK_EVERY_MS, failure: 'daily job failed' };
  return startBackgroundJob(deps, pace, async (signal) => {
    if (await mayRun()) await runDueJobs(deps, jobs, () => signal.aborted);
  });
}

/**
 * Runs the jobs that are due and have not run today, or this week. A job claims the day in its own transaction: of several
 * processes on one database one runs it, and if that one dies another takes over. A start late in the day catches up. A long
 * job claims the day first and releases it if it fails or is stopped.
 */
export async function runDueJobs(
  deps: Deps,
  jobs: readonly DailyJob[],
  mustStop: () => boolean = () => false,
): Promise<void> {
  const { timeZone } = deps.config;
  const now = deps.clock.now();
  for (const job of jobs) {
    if (hourIn(timeZone, now) < job.fromHour) continue;
    const today = jobDueSince(job, dayIn(timeZone, now));
    if (await hasRunToday(deps, job, today)) continue;
    await runJobAttempt(deps, job.name, () => runJob(deps, job, today, mustStop));
  }
}

/** The day since which a job is due: today, or this week's Monday. */
export function jobDueSince({ isWeekly }: Pick<DailyJob, 'isWeekly'>, today: CalendarDate): CalendarDate {
  return isWeekly === true ? mondayOf(today) : today;
}

async function runJob(
  deps: Deps,
  job: DailyJob,
  today: CalendarDate,
  mustStop: () => boolean,
): Promise<void> {
  const { database } = deps;
  if ('run' in job) {
    await transaction(database, async (trx) => {
      if (await claimDailyJob(trx, job, today)) await job.run(trx, deps);
    });
    return;
  }
  if (!(await transaction(database, (trx) => claimDailyJob(trx, job, today)))) return;
  let isComplete = false;
  try {
    isComplete = await job.runLong(deps, mustStop);
  } finally {
    if (!isComplete) await transaction(database, (trx) => releaseDailyJob(trx, job, today));
  }
}

// Read first, because usually no job is due and nothing has to be written.
async function hasRunToday({ database }: Deps, { name }: DailyJob, today: CalendarDate): Promise<boolean> {
  const row = await database.db
    .selectFrom('daily_jobs')
    .select('last_day')
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined && hasRunOn(row.last_day, today);
}

/** Marks a daily job as done on a day; returns false if it already was. */
export function claimDailyJob(
  trx: Trx,
  { name }: Pick<DailyJob, 'name'>,
  today: CalendarDate,
): Promise<boolean> {
  return changesRows(
    trx
      .insertInto('daily_jobs')
      .values({ name, last_day: today })
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet({ last_day: today })
          .where((eb) =>
            eb.or([
              eb('daily_jobs.last_day', '<', today),
              // Stored by a wrong clock: see hasRunOn.
              eb('daily_jobs.last_day', '>', addDays(today, 1)),
            ]),
          ),
      ),
  );
}

// Another process, or the next start, resumes the job today.
async function releaseDailyJob(trx: Trx, { name }: DailyJob, today: CalendarDate): Promise<void> {
  await trx
    .updateTable('daily_jobs')
    .set({ last_day: addDays(today, -1) })
    .where('name', '=', name)
    .where('last_day', '=', today)
    .execute();
}
