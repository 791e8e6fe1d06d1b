import { useId, useState } from 'react';
import { type CalendarDate, day, formatDayLong } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import type { TimeEntry } from '../contract.ts';
import type { useRecentEntries } from './api.ts';
import { dayLook, MonthGrid } from './month-grid.tsx';

type EntryCalendarProps = {
  list: Pick<
    ReturnType<typeof useRecentEntries>,
    'data' | 'hasNextPage' | 'isFetchingNextPage' | 'fetchNextPage'
  >;
  /** The visible entries: of one activity, in one state, or all. */
  entries: readonly TimeEntry[];
  today: CalendarDate;
  /** The day that the list is limited to, if any. */
  chosen: CalendarDate | undefined;
  onChoose: (date: CalendarDate | undefined) => void;
};

/** The hours of a month day by day; a tap on a day lists its entries. */
export function EntryCalendar({ list, entries, today, chosen, onChoose }: EntryCalendarProps) {
  const text = useTranslation();
  const { t, language } = text;
  const id = useId();
  const [month, setMonth] = useState(chosen ?? today);
  const first = day(`${month.slice(0, 7)}-01`);
  const ofMonth = entries.filter(({ entryDate }) => entryDate.slice(0, 7) === month.slice(0, 7));
  const isWhole = !list.hasNextPage || (list.data?.at(-1)?.entryDate ?? today) < first;
  return (
    <Card labelledBy={id}>
      <h3 id={id} className="sr-only">
        {t('time-entries:calendar')}
      </h3>
      <MonthGrid
        start={month}
        last={today}
        dayOf={(date) => {
          const isOn = date === chosen;
          if (date > today) {
            return {
              label: t('time-entries:calendarDayNotYet', { day: formatDayLong(date, language) }),
              isOff: true,
            };
          }
          const look = dayLook(date, ofMonth, text);
          const label =
            look.mark === undefined && isWhole
              ? t('time-entries:calendarDayNone', { day: look.label })
              : look.label;
          return { ...look, label, isOn, isQuiet: look.mark === undefined };
        }}
        onDay={(date) => onChoose(date === chosen ? undefined : date)}
        onMonth={(next) => {
          setMonth(next);
          onChoose(undefined);
          void loadSince(list, day(`${next.slice(0, 7)}-01`));
        }}
      />
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-3">
        <p role="status" className="figures text-dense">
          {isWhole
            ? t('time-entries:monthTotal', {
                hours: formatHours(sumHours(ofMonth.map(({ hours }) => hours)), language),
              })
            : t('time-entries:monthLoading')}
        </p>
        {chosen !== undefined && (
          <Button kind="plain" onPress={() => onChoose(undefined)}>
            {t('time-entries:allDays')}
          </Button>
        )}
      </div>
    </Card>
  );
}

// Loads the list back to a day.
async function loadSince(list: EntryCalendarProps['list'], first: CalendarDate): Promise<void> {
  let { data, hasNextPage } = list;
  while (hasNextPage && (data?.at(-1)?.entryDate ?? first) >= first) {
    const next = await list.fetchNextPage();
    if (next.isError) return;
    ({ data, hasNextPage } = next);
  }
}
