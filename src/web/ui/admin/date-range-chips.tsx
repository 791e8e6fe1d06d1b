import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { DateChip } from './filter-chip.tsx';

type DateRangeChipsProps = {
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  /** Gets only the date that was set or cleared. */
  onChange: (change: { startDate: CalendarDate | undefined } | { endDate: CalendarDate | undefined }) => void;
};

/** The first and last day of a list; the last can't be before the first. */
export function DateRangeChips({ startDate, endDate, onChange }: DateRangeChipsProps) {
  const { t } = useTranslation();
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
