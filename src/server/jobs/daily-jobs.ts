import { addDays, type CalendarDate, dayIn, hourIn, mondayOf } from '#shared/calendar-date.ts';
import { type Trx, transaction } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { runJobAttempt } from './job-attempt.ts';

/**
 * Whether something that was last done on a day is done for `today`. A day further ahead was noted by a wrong clock; the
 * next day is not, since a time zone may have been changed.
 */
export function hasRunOn(last: CalendarDate, today: CalendarDate): boolean {
  return last >= today && last <= addDays(today, 1);
}

/** A job that runs once a day, at or after an hour of the district's day, or once a week, from Monday on. */
export type DailyJob = Readonly<{
  name: string;
  fromHour: number;
  isWeekly?: boolean;
}> &
  (
    | Readonly<{ run: (trx: Trx, deps: Deps) => Promise<void> }>
    /**
     * For work that is too long for one transaction. It ends early, and returns false, when it must stop; the rest is
     * done the next time.
     */
    | Readonly<{ runLong: (deps: Deps, mustStop: () => boolean) => Promise<boolean> }>
  );

const LOOK_EVERY_MS = 60_000;

/** Asked before every round of jobs: whether they may run. */
export type CanRunJobs = () => Promise<boolean>;

/** Runs the daily jobs from now on, whenever `mayRun`. `stop` waits for a running one. */
export function startDaily(
  deps: Deps,
  jobs: readonly DailyJob[],
  mayRun: CanRunJobs = async () => true,
): { stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isStopping = false;
  let round = Promise.resolve();
  const look = () => {
    round = mayRun()
      .then(async (may) => {
        if (may) await runDueJobs(deps, jobs, () => isStopping);
      })
      .catch((error: unknown) => deps.log.error({ err: error }, 'a daily job failed'))
      .then(() => {
        if (!isStopping) timer = setTimeout(look, LOOK_EVERY_MS).unref();
      });
  };
  look();
  return {
    stop: async () => {
      isStopping = true;
      clearTimeout(timer);
      await round;
    },
  };
}

/**
 * Does what is due and was not done yet today, or this week. The day is taken in the transaction of the work itself: of several
 * processes on one database one does it, and one that dies leaves it to the next. A start late in the day catches up.
 * A long job takes the day first, and gives it back when it fails or is stopped.
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
    if (await isDone(deps, job, today)) continue;
    await runJobAttempt(deps, job.name, () => doOne(deps, job, today, mustStop));
  }
}

/** The day on which a job is due that was not done by another day. */
export function jobDueSince({ isWeekly }: Pick<DailyJob, 'isWeekly'>, today: CalendarDate): CalendarDate {
  return isWeekly === true ? mondayOf(today) : today;
}

async function doOne(deps: Deps, job: DailyJob, today: CalendarDate, mustStop: () => boolean): Promise<void> {
  const { database } = deps;
  if ('run' in job) {
    await transaction(database, async (trx) => {
      if (await claimDailyJob(trx, job, today)) await job.run(trx, deps);
    });
    return;
  }
  if (!(await transaction(database, (trx) => claimDailyJob(trx, job, today)))) return;
  let isWhole = false;
  try {
    isWhole = await job.runLong(deps, mustStop);
  } finally {
    if (!isWhole) await transaction(database, (trx) => giveBack(trx, job, today));
  }
}

// Read first: most of the time no job is due, and nothing needs to be written.
async function isDone({ database }: Deps, { name }: DailyJob, today: CalendarDate): Promise<boolean> {
  const row = await database.db
    .selectFrom('daily_jobs')
    .select('last_day')
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined && hasRunOn(row.last_day, today);
}

/** Marks a daily job as done on a day; false when it was. */
export async function claimDailyJob(
  trx: Trx,
  { name }: Pick<DailyJob, 'name'>,
  today: CalendarDate,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('daily_jobs')
    .values({ name, last_day: today })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ last_day: today })
        .where((eb) =>
          eb.or([
            eb('daily_jobs.last_day', '<', today),
            // Noted by a wrong clock: see hasRunOn.
            eb('daily_jobs.last_day', '>', addDays(today, 1)),
          ]),
        ),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
}

// Another process, or the next start, goes on with it today.
async function giveBack(trx: Trx, { name }: DailyJob, today: CalendarDate): Promise<void> {
  await trx
    .updateTable('daily_jobs')
    .set({ last_day: addDays(today, -1) })
    .where('name', '=', name)
    .where('last_day', '=', today)
    .execute();
}
