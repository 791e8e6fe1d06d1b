import type { Activity } from '#features/activities/contract.ts';
import { type CalendarDate, daysBetween, formatDayShort } from '#shared/calendar-date.ts';
import { formatHours, type Hours, sumHours } from '#shared/hours.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { TextField } from '#web/ui/text-field.tsx';
import type { TimeEntry } from '../contract.ts';
import { type Facts, type Flag, findFlags, UNUSUAL_HOURS } from '../entry-flags.ts';

// The parts of the Log Time form for schools that verify hours.

type ExternalVerifierFieldProps = {
  field: FieldBinding<string | undefined>;
  /** The verifier named before. The field is hidden unless the server rejects this one. */
  remembered: string | undefined;
  activity: Activity;
  own: readonly TimeEntry[];
};

/** Asks for the external verifier if the activity requires one but names none. */
export function ExternalVerifierField({ field, remembered, activity, own }: ExternalVerifierFieldProps) {
  const { t } = useTranslation();
  const isOpen =
    (requiresNamedVerifier(activity, own) && remembered === undefined) || field.value !== remembered;
  if (!isOpen && field.error === undefined) return null;
  return (
    <TextField
      {...field}
      value={field.value ?? ''}
      onChange={(address) => field.onChange(address || undefined)}
      label={t('time-entries:supervisor')}
      hint={t('time-entries:supervisorHint')}
      type="email"
    />
  );
}

// The activity needs an external verifier and names none. The entries show whether the school verifies hours.
function requiresNamedVerifier(
  { verifiedBy, outsideVerifier }: Activity,
  own: readonly TimeEntry[],
): boolean {
  return (
    verifiedBy === 'outside' &&
    outsideVerifier === null &&
    own.some(({ verification }) => verification !== null)
  );
}

/** Hours about to be logged, and the user's own entries so far. `already` is the hours logged for this activity and day. */
type HoursToCheck = Readonly<{
  activity: Activity;
  hours: Hours;
  date: CalendarDate;
  today: CalendarDate;
  own: readonly Pick<TimeEntry, 'entryDate' | 'hours'>[];
  already: Hours;
}>;

/**
 * Returns warnings about hours that the verification queue would flag, and a question whether to log them; empty when there are
 * none. Existing hours for this activity and day are checked elsewhere, and only the server can compare with other volunteers'
 * hours.
 */
export function findUnusualHours(about: HoursToCheck, { t, language }: Text): string {
  const { activity, date, hours, today, already } = about;
  const facts = toFlagFacts(about);
  const messagesByFlag: Readonly<Partial<Record<Flag, string>>> = {
    longEntry: t('time-entries:oddLongEntry', { hours: formatHours(UNUSUAL_HOURS.entryHours, language) }),
    longDay: t('time-entries:oddLongDay', { hours: formatHours(facts.dayHours, language) }),
    late: t('time-entries:oddLate', { count: daysBetween(date, today) }),
    outsideDates: t('time-entries:oddOutsideDates', { activity: activity.name }),
  };
  const sentences = findFlags(facts).flatMap((flag) => messagesByFlag[flag] ?? []);
  if (sentences.length > 0 && already === 0) {
    sentences.push(t('time-entries:oddAsk', { hours: formatHours(hours, language) }));
  }
  return sentences.join(' ');
}

/**
 * Returns the warnings for several days with the same hours. The server asks about days that already have hours for the
 * activity.
 */
export function findUnusualDays(
  { dates, ...about }: Omit<HoursToCheck, 'date' | 'already'> & { dates: readonly CalendarDate[] },
  { t, language }: Text,
): string {
  const found = (flag: Flag) =>
    dates
      .filter((date) => findFlags(toFlagFacts({ ...about, date, already: 0 })).includes(flag))
      .map((date) => formatDayShort(date, language))
      .join(', ');
  const [long, late] = [found('longDay'), found('late')];
  const sentences = [
    about.hours > UNUSUAL_HOURS.entryHours
      ? t('time-entries:oddLongEntry', { hours: formatHours(UNUSUAL_HOURS.entryHours, language) })
      : '',
    long === ''
      ? ''
      : t('time-entries:oddLongDays', { hours: formatHours(UNUSUAL_HOURS.dayHours, language), dates: long }),
    late === '' ? '' : t('time-entries:oddLateDays', { days: UNUSUAL_HOURS.lateDays, dates: late }),
  ].filter((sentence) => sentence !== '');
  if (sentences.length > 0) {
    sentences.push(t('time-entries:oddAsk', { hours: formatHours(about.hours, language) }));
  }
  return sentences.join(' ');
}

function toFlagFacts({ activity, hours, date, today, own }: HoursToCheck): Facts {
  const sameDay = own.filter(({ entryDate }) => entryDate === date);
  return {
    hours,
    entryDate: date,
    loggedOn: today,
    // If a school sets its own limit, later hours are closed instead of flagged.
    lateAfterDays: null,
    dayHours: sumHours([hours, ...sameDay.map((entry) => entry.hours)]),
    sameDay: 0,
    activeFrom: activity.activeFrom,
    activeUntil: activity.activeUntil,
    others: { count: 0, farBelow: 0 },
  };
}
