import type { District } from '#features/schools/district-settings/contract.ts';
import type { VerifiedOnlyFilter } from '#features/time-entries/verification-status.ts';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { DateChip, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { createFocusTarget } from '#web/ui/focus-target.ts';
import { type Days, periodSelect, withBound } from './period-presets.ts';

type PeriodBarProps = {
  district: District;
  days: Days;
  onChange: (days: Days) => void;
  only: VerifiedOnlyFilter | undefined;
  /** Undefined where no hours are verified. */
  onOnly: ((only: VerifiedOnlyFilter | undefined) => void) | undefined;
};

/** Selects the page's period, as a preset or any other days, and the kind of hours. */
export function PeriodBar({ district, days, onChange, only, onOnly }: PeriodBarProps) {
  const text = useTranslation();
  const { t } = text;
  return (
    <div className="flex flex-wrap items-center gap-2 print:hidden">
      <SelectChip place={periodChoice} {...periodSelect(district, days, onChange, text)} />
      <DateChip
        label={t('analytics:startDate')}
        value={days.startDate ?? ''}
        onChange={(value) => onChange(withBound(days, { startDate: dayOf(value) }))}
      />
      <DateChip
        label={t('analytics:endDate')}
        value={days.endDate ?? ''}
        onChange={(value) => onChange(withBound(days, { endDate: dayOf(value) }))}
        min={days.startDate}
      />
      {onOnly !== undefined && (
        <SelectChip
          label={t('analytics:whichHours')}
          all={t('analytics:allLogged')}
          value={only ?? ''}
          onChange={(value) => onOnly(value === 'verified' ? value : undefined)}
          choices={[{ value: 'verified', text: t('analytics:verifiedOnly') }]}
        />
      )}
    </div>
  );
}

/** The period select. It gets the focus when the control that changed the period disappears. */
export const periodChoice = createFocusTarget();

function dayOf(value: string): CalendarDate | undefined {
  return isCalendarDate(value) ? value : undefined;
}
