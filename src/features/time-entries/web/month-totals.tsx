import { useId } from 'react';
import { capitalizeFirst, day, formatMonth } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { loadAll } from '#web/api/infinite-pages.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Select } from '#web/ui/select.tsx';
import type { TimeEntry } from '../contract.ts';
import { useRecentEntries } from './api.ts';

/** Enough for several years of one volunteer's entries. */
const ALL_PAGES = 50;

/** The hours of each month, latest first. The earliest month is left out while there are earlier entries to load. */
export function MonthTotals({ schoolId }: { schoolId: Id }) {
  const { t, language } = useTranslation();
  const id = useId();
  const list = useRecentEntries(schoolId);
  if (list.data === undefined || list.data.length === 0) return null;
  const isPart = list.hasNextPage;
  const months = sumByMonth(list.data);
  const shown = isPart ? months.slice(0, -1) : months;
  return (
    <Card labelledBy={id}>
      <h2 id={id} className="text-lg font-semibold">
        {t('time-entries:byMonth')}
      </h2>
      <ul className="mt-3 flex flex-col gap-2">
        {shown.map(({ month, hours }) => (
          <li key={month} className="flex flex-wrap items-baseline justify-between gap-x-3">
            <span>{capitalizeFirst(formatMonth(day(`${month}-01`), language))}</span>
            <span className="figures shrink-0 text-dense">
              {t('time-entries:shortHours', { hours: formatHours(hours, language) })}
            </span>
          </li>
        ))}
      </ul>
      {isPart && (
        <div className="mt-3">
          <Button onPress={() => void loadAll(list, ALL_PAGES)} isBusy={list.isFetchingNextPage}>
            {t('time-entries:allMonths')}
          </Button>
        </div>
      )}
    </Card>
  );
}

/** The hours of each month, in the order of the entries. */
export function sumByMonth(entries: readonly Pick<TimeEntry, 'entryDate' | 'hours'>[]) {
  const months = new Map<string, number[]>();
  for (const { entryDate, hours } of entries) {
    const month = entryDate.slice(0, 7);
    months.set(month, [...(months.get(month) ?? []), hours]);
  }
  return [...months].map(([month, hours]) => ({ month, hours: sumHours(hours) }));
}

type ActivityFilterProps = {
  entries: readonly TimeEntry[];
  activityId: number | undefined;
  onChange: (activityId: number | undefined) => void;
};

/** Filters the entries by activity; hidden if all entries have the same one. */
export function ActivityFilter({ entries, activityId, onChange }: ActivityFilterProps) {
  const { t } = useTranslation();
  const names = new Map(entries.map(({ activity }) => [activity.id, activity.name]));
  if (names.size < 2) return null;
  return (
    <div className="print:hidden">
      <Select
        name="activity"
        label={t('time-entries:activity')}
        value={String(activityId ?? '')}
        onChange={(value) => onChange(value === '' ? undefined : Number(value))}
        choices={[
          { value: '', text: t('time-entries:everyActivity') },
          ...[...names]
            .map(([id, text]) => ({ value: String(id), text }))
            .toSorted((a, b) => a.text.localeCompare(b.text)),
        ]}
      />
    </div>
  );
}
