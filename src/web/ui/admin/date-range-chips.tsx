import { type CalendarDate, isCalendarDate } from '#base/calendar-date.ts';
import { useText } from '../../lib/text.ts';
import { DateChip } from './filter-chip.tsx';

type DateRangeChipsProps = {
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  /** Names the one day that was set or taken away. */
  onChange: (change: { startDate: CalendarDate | undefined } | { endDate: CalendarDate | undefined }) => void;
};

/** The first and the last day of a list; the last is not before the first. */
export function DateRangeChips({ startDate, endDate, onChange }: DateRangeChipsProps) {
  const { t } = useText();
  return (
    <>
      <DateChip
        label={t('web:startDate')}
        value={startDate ?? ''}
        onChange={(value) => onChange({ startDate: dayOf(value) })}
      />
      <DateChip
        label={t('web:endDate')}
        value={endDate ?? ''}
        onChange={(value) => onChange({ endDate: dayOf(value) })}
        min={startDate}
      />
    </>
  );
}

function dayOf(value: string): CalendarDate | undefined {
  return isCalendarDate(value) ? value : undefined;
}
