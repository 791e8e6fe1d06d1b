import type { QueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { type CalendarDate, formatDayLong, formatDayShort, isCalendarDate } from '#shared/calendar-date.ts';
import type { BodyOf } from '#shared/endpoint.ts';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import type { TimeEntry } from '../../contract.ts';
import { refreshEntries } from '../../web/api.ts';
import type { ClosedDayReason } from '../../web/closed-periods.ts';
import { dayLook, type GridDay, MonthGrid } from '../../web/month-grid.tsx';
import { logSeveral, MULTIPLE_DAYS, multipleDaysMessages, undoSeveral } from '../contract.ts';

type SeveralDaysProps = {
  dates: readonly string[];
  onDates: (dates: readonly string[]) => void;
  today: CalendarDate;
  /** The user's entries loaded so far. */
  own: readonly TimeEntry[];
  closedOn: ClosedDayReason | undefined;
  error: string | undefined;
  /** The error of the day at an index of `dates`. */
  errorAt: (at: number) => string | undefined;
  onOneDay: () => void;
};

/** Chooses days: one by one, or all days of a weekday at once. */
export function MultipleDaysForm(props: SeveralDaysProps) {
  const { dates, onDates, today, own, closedOn, error, errorAt, onOneDay } = props;
  const text = useTranslation();
  const { t, language } = text;
  const lookOf = (date: CalendarDate): GridDay => {
    const closed = date > today ? undefined : closedOn?.(date);
    const look = dayLook(date, own, text);
    if (date > today)
      return {
        label: t('time-entries:calendarDayNotYet', { day: formatDayLong(date, language) }),
        isOff: true,
      };
    if (closed !== undefined) return { ...look, label: `${look.label}. ${closed}`, isOff: true };
    if (!dates.includes(date)) return look;
    return {
      label: t('time-entries:calendarDayChosen', { day: look.label }),
      mark: <Check aria-hidden="true" className="size-4" />,
      isOn: true,
    };
  };
  const toggle = (date: CalendarDate) =>
    onDates(dates.includes(date) ? dates.filter((one) => one !== date) : [...dates, date].toSorted());
  // A second tap on a weekday removes its days.
  function toggleAll(found: readonly CalendarDate[]) {
    const open = found.filter((date) => closedOn?.(date) === undefined);
    const isIn = open.every((date) => dates.includes(date));
    const others = dates.filter((date) => !open.some((one) => one === date));
    onDates(isIn ? others : [...others, ...open].toSorted());
  }
  const wrong = dates.flatMap((date, at) => {
    const problem = errorAt(at);
    return problem === undefined ? [] : [{ date, problem }];
  });
  return (
    <div className="relative">
      {' '}
      <fieldset className="flex min-w-0 flex-col gap-2" data-at-fault={error === undefined ? undefined : ''}>
        <legend className="mb-1.5 font-medium">{t('time-entries:severalField')}</legend>
        <p className="text-dense text-soft">{t('time-entries:severalHint')}</p>
        <MonthGrid
          start={dates.findLast(isCalendarDate) ?? today}
          last={today}
          dayOf={lookOf}
          onDay={toggle}
          onWeekday={toggleAll}
        />
        <p role="status" className="figures text-dense">
          {t('time-entries:chosenDays', { count: dates.length })}
          {dates.length > 0 &&
            `: ${dates
              .filter(isCalendarDate)
              .map((date) => formatDayShort(date, language))
              .join(' · ')}`}
        </p>
        {error !== undefined && <ErrorText>{error}</ErrorText>}
        {wrong.length > 0 && (
          <div data-at-fault="" className="flex flex-col items-start gap-2">
            <ul>
              {wrong.map(({ date, problem }) => (
                <li key={date}>
                  <ErrorText>{problem}</ErrorText>
                </li>
              ))}
            </ul>
            <Button onPress={() => onDates(dates.filter((date) => !wrong.some((one) => one.date === date)))}>
              {t('time-entries:leaveOut')}
            </Button>
          </div>
        )}
      </fieldset>
      <div className="absolute -top-2.5 right-0">
        <LinkButton onPress={onOneDay}>{t('time-entries:oneDay')}</LinkButton>
      </div>
    </div>
  );
}

function ErrorText({ children }: { children: ReactNode }) {
  return <p className="text-dense font-medium text-danger">{children}</p>;
}

/** The error for this number of days, if any. */
export function daysProblem(dates: readonly string[]) {
  if (dates.length === 0) return multipleDaysMessages.none;
  return dates.length > MULTIPLE_DAYS.days ? multipleDaysMessages.tooMany : undefined;
}

/**
 * Logs the days. Returns the last entry, the server's message, the number of entries, and `undo`, which undoes all of them and
 * returns the server's message. `undo` is undefined if the viewer cannot delete the entries.
 */
export async function logDays(client: QueryClient, body: BodyOf<typeof logSeveral>) {
  const { timeEntries, batch, message } = await call(logSeveral, { body });
  void refreshEntries(client);
  const entry = timeEntries.at(-1);
  if (entry === undefined) throw new Error('no day was logged');
  const undo = batch === null ? undefined : () => call(undoSeveral, { body: { batch } });
  return [entry, message, { count: timeEntries.length, undo }] as const;
}
