import { findMilestones } from '#features/time-entries/goals/server/actions.ts';
import type { Deps } from '#server/deps.ts';
import { withNameLanguage } from '#server/i18n/locale.ts';
import { recipientLanguage } from '#server/i18n/recipient-language.ts';
import type { DailyJob } from '#server/jobs/daily-jobs.ts';
import {
  addDays,
  type CalendarDate,
  dayIn,
  mondayOf,
  schoolYearStart,
  startOfDay,
} from '#shared/calendar-date.ts';
import { REMINDERS } from '../contract.ts';
import { BATCH_SIZE, queueReminderEmails } from './delivery.ts';
import { type Week, weeklySummaryEmail } from './emails.ts';
import { findWeeklySummaryRecipients } from './preference-store.ts';
import { sendsMail } from './preferences.ts';
import {
  listDecidedSuggestions,
  sumDecidedHours,
  sumHoursByActivity,
  sumHoursByUser,
} from './weekly-summary-store.ts';

/** Sends the weekly summary on Mondays to users who opted in, unless there is nothing to report. */
export const weeklySummaryJob: DailyJob = {
  name: 'weekly-summaries',
  fromHour: REMINDERS.weeklyHour,
  isWeekly: true,
  runLong: async (deps, mustStop) => {
    if (!sendsMail(deps)) return true;
    const monday = mondayOf(dayIn(deps.config.timeZone, deps.clock.now()));
    let after = 0;
    for (;;) {
      if (mustStop()) return false;
      const recipients = await findWeeklySummaryRecipients(deps.database.db, {
        monday,
        after,
        limit: BATCH_SIZE,
      });
      const last = recipients.at(-1);
      if (last === undefined) return true;
      await queueEmails(deps, recipients, monday);
      after = last.id;
    }
  },
};

type Recipients = Awaited<ReturnType<typeof findWeeklySummaryRecipients>>;

async function queueEmails(deps: Deps, recipients: Recipients, monday: CalendarDate): Promise<void> {
  const weekOf = await readWeeks(deps, recipients, monday);
  const letters = recipients.flatMap((reader) => {
    const week = weekOf(reader);
    if (week.logged.length + week.decided.length + week.suggestions.length === 0) return [];
    return [{ slot: { userId: reader.id, monday }, letter: weeklySummaryEmail(deps, reader, week) }];
  });
  await queueReminderEmails(deps, 'weekly-summary', letters);
}

async function readWeeks(deps: Deps, recipients: Recipients, monday: CalendarDate) {
  const { db } = deps.database;
  const { timeZone, schoolYearStart: yearStart } = deps.config;
  const week = { from: addDays(monday, -7), to: addDays(monday, -1) };
  const moments = { from: startOfDay(timeZone, week.from), to: startOfDay(timeZone, monday) };
  const wantSummary = recipients.filter((reader) => reader.weekly).map(({ id }) => id);
  const wantDecisions = recipients.filter((reader) => reader.decisions).map(({ id }) => id);
  const [logged, years, decided, suggestions] = await Promise.all([
    readInOwnLanguage(deps, recipients, wantSummary, (ids) => sumHoursByActivity(db, ids, week)),
    wantSummary.length === 0
      ? new Map<number, number>()
      : sumHoursByUser(db, wantSummary, { from: schoolYearStart(week.to, yearStart), to: week.to }),
    wantDecisions.length === 0 ? [] : sumDecidedHours(db, wantDecisions, moments),
    readInOwnLanguage(deps, recipients, wantDecisions, (ids) => listDecidedSuggestions(db, ids, moments)),
  ]);
  const milestones = await findMilestones(db);
  return ({ id }: { id: number }): Week => {
    const own = <Row extends { userId: number }>(rows: readonly Row[]) =>
      rows.filter(({ userId }) => userId === id).map(({ userId: _, ...row }) => row);
    const ownLogged = own(logged);
    const yearHundredths = years.get(id) ?? 0;
    const before = yearHundredths - ownLogged.reduce((sum, { hundredths }) => sum + hundredths, 0);
    const passed = milestones.findLast(({ hours }) => hours * 100 <= yearHundredths && hours * 100 > before);
    return {
      ...week,
      logged: ownLogged,
      yearHundredths,
      milestone: passed,
      decided: own(decided),
      suggestions: own(suggestions),
    };
  };
}

// Reads each recipient's rows with names in their language.
async function readInOwnLanguage<Row>(
  deps: Deps,
  recipients: Recipients,
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const wanted = recipients.filter(({ id }) => ids.includes(id));
  const byLanguage = Map.groupBy(wanted, (reader) => recipientLanguage(deps, reader));
  const rows = await Promise.all(
    [...byLanguage].map(([language, some]) =>
      withNameLanguage(language, () => read(some.map(({ id }) => id))),
    ),
  );
  return rows.flat();
}
