import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import {
  addDays,
  addMonths,
  type CalendarDate,
  capitalizeFirst,
  day,
  formatDayLong,
  formatMonth,
  formatWeekday,
  weekdayOf,
} from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { IconButton } from '#web/ui/button.tsx';
import type { TimeEntry } from '../contract.ts';

/** A day's appearance and label. `mark` is shown below its number. */
export type GridDay = Readonly<{
  label: string;
  mark?: ReactNode;
  isOn?: boolean;
  isOff?: boolean;
  isQuiet?: boolean;
}>;

type MonthGridProps = {
  /** The initial day; its month is shown. */
  start: CalendarDate;
  /** The last selectable day. */
  last: CalendarDate;
  dayOf: (date: CalendarDate) => GridDay;
  onDay: (date: CalendarDate) => void;
  /** If set, column headings are buttons that select all days of a weekday in the month, up to `last`. */
  onWeekday?: (dates: readonly CalendarDate[]) => void;
  /** Called when another month is shown. */
  onMonth?: (month: CalendarDate) => void;
};

/** The appearance of a day with its hours. */
export function dayLook(
  date: CalendarDate,
  entries: readonly Pick<TimeEntry, 'entryDate' | 'hours'>[],
  { t, language }: Text,
): { label: string; mark?: string } {
  const ofDay = entries.filter(({ entryDate }) => entryDate === date);
  const name = formatDayLong(date, language);
  if (ofDay.length === 0) return { label: name };
  const hours = formatHours(sumHours(ofDay.map((entry) => entry.hours)), language);
  return { label: t('time-entries:calendarDayHours', { day: name, hours }), mark: hours };
}

const DAYS = [0, 1, 2, 3, 4, 5, 6];
const CELL = 'figures flex min-h-11 w-full flex-col items-center justify-center rounded-xl leading-4';

/**
 * A month of selectable days. Arrow keys move by day and week, Page Up and Page Down by month, Home and End within
 * the week.
 */
export function MonthGrid({ start, last, dayOf, onDay, onWeekday, onMonth }: MonthGridProps) {
  const { t, language } = useTranslation();
  const titleId = useId();
  const [at, setAt] = useState(start);
  const grid = useRef<HTMLTableElement>(null);
  const month = at.slice(0, 7);
  const weeks = weeksOf(at);

  function show(next: CalendarDate) {
    const to = next > last ? last : next < FIRST ? FIRST : next;
    setAt(to);
    if (to.slice(0, 7) !== month) onMonth?.(to);
  }
  function move(event: KeyboardEvent) {
    const next = MOVES[event.key]?.(at);
    if (next === undefined) return;
    event.preventDefault();
    flushSync(() => show(next));
    grid.current?.querySelector<HTMLElement>('td [tabindex="0"]')?.focus();
  }
  const title = formatMonth(at, language);
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center justify-between gap-x-3">
        <p id={titleId} aria-live="polite" className="font-semibold">
          {capitalizeFirst(title)}
        </p>
        <div className="flex">
          <IconButton
            label={t('time-entries:previousMonth')}
            icon={<ChevronLeft aria-hidden="true" className="size-5" />}
            onPress={() => show(addMonths(at, -1))}
          />
          <IconButton
            label={t('time-entries:nextMonth')}
            icon={<ChevronRight aria-hidden="true" className="size-5" />}
            isDisabled={month >= last.slice(0, 7)}
            onPress={() => show(addMonths(at, 1))}
          />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table whose cells are moved through by arrow keys is a grid. */}
      <table ref={grid} role="grid" aria-labelledby={titleId} className="w-full table-fixed text-center">
        <thead>
          <tr>
            {DAYS.map((weekday) => (
              <th key={weekday} scope="col" className="text-sm font-medium text-soft">
                <WeekdayHead
                  weekday={weekday}
                  label={t('time-entries:allOfWeekday', {
                    weekday: formatWeekday(weekday, language),
                    month: title,
                  })}
                  onPress={
                    onWeekday &&
                    (() =>
                      onWeekday(
                        weeks.flatMap((week) => {
                          const date = week[weekday];
                          return date === undefined || date > last ? [] : [date];
                        }),
                      ))
                  }
                />
              </th>
            ))}
          </tr>
        </thead>
        <tbody onKeyDown={move}>
          {weeks.map((week, row) => (
            <tr key={DAYS[row]}>
              {week.map((date, weekday) => (
                <td key={DAYS[weekday]} className="h-11 p-0">
                  {date !== undefined && (
                    <DayCell
                      date={date}
                      look={dayOf(date)}
                      isAt={date === at}
                      onPress={() => {
                        setAt(date);
                        onDay(date);
                      }}
                    />
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const FIRST = day('1900-01-01');

const MOVES: Readonly<Record<string, (at: CalendarDate) => CalendarDate>> = {
  ArrowLeft: (at) => addDays(at, -1),
  ArrowRight: (at) => addDays(at, 1),
  ArrowUp: (at) => addDays(at, -7),
  ArrowDown: (at) => addDays(at, 7),
  Home: (at) => addDays(at, -weekdayOf(at)),
  End: (at) => addDays(at, 6 - weekdayOf(at)),
  PageUp: (at) => addMonths(at, -1),
  PageDown: (at) => addMonths(at, 1),
};

// At least five weeks, so that the content below hardly moves from one month to the next.
function weeksOf(at: CalendarDate): readonly (readonly (CalendarDate | undefined)[])[] {
  const month = at.slice(0, 7);
  const first = day(`${month}-01`);
  const begin = addDays(first, -weekdayOf(first));
  const weeks = [0, 1, 2, 3, 4, 5].map((week) =>
    DAYS.map((weekday) => {
      const date = addDays(begin, week * 7 + weekday);
      return date.slice(0, 7) === month ? date : undefined;
    }),
  );
  return weeks.filter((week, row) => row < 5 || week[0] !== undefined);
}

type WeekdayHeadProps = { weekday: number; label: string; onPress: (() => void) | undefined };

function WeekdayHead({ weekday, label, onPress }: WeekdayHeadProps) {
  const { language } = useTranslation();
  const name = formatWeekday(weekday, language, 'short');
  if (onPress === undefined)
    return (
      <abbr title={formatWeekday(weekday, language)} className="no-underline">
        {name}
      </abbr>
    );
  return (
    <button type="button" className={`${CELL} text-brand hover:bg-wash`} aria-label={label} onClick={onPress}>
      {name}
    </button>
  );
}

type DayCellProps = { date: CalendarDate; look: GridDay; isAt: boolean; onPress: () => void };

function DayCell({
  date,
  look: { label, mark, isOn = false, isOff = false, isQuiet = false },
  isAt,
  onPress,
}: DayCellProps) {
  return (
    <button
      type="button"
      tabIndex={isAt ? 0 : -1}
      className={`${CELL} ${isOn ? 'bg-brand font-semibold text-on-brand' : mark === undefined ? 'hover:bg-wash' : 'bg-wash font-semibold'} ${isOff ? 'opacity-50' : isQuiet && !isOn ? 'text-soft' : ''}`}
      aria-label={label}
      aria-pressed={isOn}
      aria-disabled={isOff || undefined}
      onClick={isOff ? undefined : onPress}
    >
      {Number(date.slice(8))}
      <span className="text-sm leading-4">{mark ?? '\u00a0'}</span>
    </button>
  );
}
