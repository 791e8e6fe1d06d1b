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
import { AT_ONCE, queueReminderEmails } from './delivery.ts';
import { type Week, weeklySummaryEmail } from './emails.ts';
import { weeklySummaryRecipients } from './preference-store.ts';
import { sendsMail } from './preferences.ts';
import { decidedHours, decidedSuggestions, hoursByActivity, sumsOf } from './weekly-summary-store.ts';

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
      const readers = await weeklySummaryRecipients(deps.database.db, { monday, after, limit: AT_ONCE });
      const last = readers.at(-1);
      if (last === undefined) return true;
      await writeTo(deps, readers, monday);
      after = last.id;
    }
  },
};

type Readers = Awaited<ReturnType<typeof weeklySummaryRecipients>>;

async function writeTo(deps: Deps, readers: Readers, monday: CalendarDate): Promise<void> {
  const weekOf = await readWeeks(deps, readers, monday);
  const letters = readers.flatMap((reader) => {
    const week = weekOf(reader);
    if (week.logged.length + week.decided.length + week.suggestions.length === 0) return [];
    const slot = { userId: reader.id, monday, wants: 'weekly or decisions' } as const;
    return [{ slot, letter: weeklySummaryEmail(deps, reader, week) }];
  });
  await queueReminderEmails(deps, 'weekly-summary', letters);
}

async function readWeeks(deps: Deps, readers: Readers, monday: CalendarDate) {
  const { db } = deps.database;
  const { timeZone, schoolYearStart: yearStart } = deps.config;
  const week = { from: addDays(monday, -7), to: addDays(monday, -1) };
  const moments = { from: startOfDay(timeZone, week.from), to: startOfDay(timeZone, monday) };
  const weekly = readers.filter((reader) => reader.weekly).map(({ id }) => id);
  const curious = readers.filter((reader) => reader.decisions).map(({ id }) => id);
  const [logged, years, decided, suggestions] = await Promise.all([
    inLanguages(deps, readers, weekly, (ids) => hoursByActivity(db, ids, week)),
    weekly.length === 0
      ? new Map<number, number>()
      : sumsOf(db, weekly, { from: schoolYearStart(week.to, yearStart), to: week.to }),
    curious.length === 0 ? [] : decidedHours(db, curious, moments),
    inLanguages(deps, readers, curious, (ids) => decidedSuggestions(db, ids, moments)),
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
async function inLanguages<Row>(
  deps: Deps,
  readers: Readers,
  ids: readonly number[],
  read: (ids: readonly number[]) => Promise<Row[]>,
): Promise<Row[]> {
  const wanted = readers.filter(({ id }) => ids.includes(id));
  const byLanguage = Map.groupBy(wanted, (reader) => recipientLanguage(deps, reader));
  const rows = await Promise.all(
    [...byLanguage].map(([language, some]) =>
      withNameLanguage(language, () => read(some.map(({ id }) => id))),
    ),
  );
  return rows.flat();
}
