import type { Activity } from '#features/activities/contract.ts';
import { type CalendarDate, daysBetween, formatDayShort } from '#shared/calendar-date.ts';
import { formatHours, type Hours, sumHours } from '#shared/hours.ts';
import type { Text } from '#web/i18n/translate.ts';
import type { TimeEntry } from '../contract.ts';
import { type Facts, type Flag, flagsOf, ODD } from '../entry-flags.ts';

/** Hours that are about to be logged, and the person's own so far. `already`: of this activity and day. */
export type AboutToLog = Readonly<{
  activity: Activity;
  hours: Hours;
  date: CalendarDate;
  today: CalendarDate;
  own: readonly Pick<TimeEntry, 'entryDate' | 'hours'>[];
  already: Hours;
}>;

/**
 * What a verifier would find odd about hours, by the rules of the desk, and whether to log them; empty when nothing is. That
 * there are some for this activity and day is asked everywhere, and what others logged only the desk knows.
 */
export function findUnusualHours(about: AboutToLog, { t, language }: Text): string {
  const { activity, date, hours, today, already } = about;
  const facts = factsOf(about);
  const said: Readonly<Partial<Record<Flag, string>>> = {
    longEntry: t('time-entries:oddLongEntry', { hours: formatHours(ODD.entryHours, language) }),
    longDay: t('time-entries:oddLongDay', { hours: formatHours(facts.dayHours, language) }),
    late: t('time-entries:oddLate', { count: daysBetween(date, today) }),
    outsideDates: t('time-entries:oddOutsideDates', { activity: activity.name }),
  };
  const sentences = flagsOf(facts).flatMap((flag) => said[flag] ?? []);
  if (sentences.length > 0 && already === 0) {
    sentences.push(t('time-entries:oddAsk', { hours: formatHours(hours, language) }));
  }
  return sentences.join(' ');
}

/** The same for several days that take the same hours; that a day has hours for the activity, the server asks. */
export function findUnusualDays(
  { dates, ...about }: Omit<AboutToLog, 'date' | 'already'> & { dates: readonly CalendarDate[] },
  { t, language }: Text,
): string {
  const found = (flag: Flag) =>
    dates
      .filter((date) => flagsOf(factsOf({ ...about, date, already: 0 })).includes(flag))
      .map((date) => formatDayShort(date, language))
      .join(', ');
  const [long, late] = [found('longDay'), found('late')];
  const sentences = [
    about.hours > ODD.entryHours
      ? t('time-entries:oddLongEntry', { hours: formatHours(ODD.entryHours, language) })
      : '',
    long === ''
      ? ''
      : t('time-entries:oddLongDays', { hours: formatHours(ODD.dayHours, language), dates: long }),
    late === '' ? '' : t('time-entries:oddLateDays', { days: ODD.lateDays, dates: late }),
  ].filter((sentence) => sentence !== '');
  if (sentences.length > 0) {
    sentences.push(t('time-entries:oddAsk', { hours: formatHours(about.hours, language) }));
  }
  return sentences.join(' ');
}

function factsOf({ activity, hours, date, today, own }: AboutToLog): Facts {
  const sameDay = own.filter(({ entryDate }) => entryDate === date);
  return {
    hours,
    entryDate: date,
    loggedOn: today,
    // Where a school says how late is too late, later hours are closed.
    lateAfterDays: null,
    dayHours: sumHours([hours, ...sameDay.map((entry) => entry.hours)]),
    sameDay: 0,
    activeFrom: activity.activeFrom,
    activeUntil: activity.activeUntil,
    others: { count: 0, farBelow: 0 },
  };
}
