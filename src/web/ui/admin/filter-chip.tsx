import { X } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { type CalendarDate, isCalendarDate } from '#shared/calendar-date.ts';
import { useTranslation } from '../../i18n/translate.ts';
import { createFocusTarget, type FocusTarget } from '../focus-target.ts';
import { type Choice, Choices } from '../select.tsx';

type FilterChipProps = {
  label: string;
  /** Clears the filter; undefined while it is not set. */
  onClear?: (() => void) | undefined;
  /** A focus target for its control. */
  place?: FocusTarget | undefined;
  children: (control: { ref: FocusTarget['ref']; id: string; className: string }) => ReactNode;
};

/** A filter of a list: its name, its value, and a clear button while it is set. */
export function FilterChip({ label, onClear, place, children }: FilterChipProps) {
  const { t } = useTranslation();
  const [own] = useState(createFocusTarget);
  const control = place ?? own;
  const id = useId();
  return (
    <div
      className={`flex min-h-11 max-w-full min-w-0 items-center rounded-3xl border text-dense transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-brand max-sm:w-full max-sm:flex-wrap ${onClear === undefined ? 'border-field bg-card' : 'border-brand bg-wash'}`}
    >
      <label htmlFor={id} className="shrink-0 pl-4 font-medium whitespace-nowrap">
        {label}
      </label>
      {children({ ref: control.ref, id, className: CONTROL })}
      {onClear !== undefined && (
        <button
          type="button"
          aria-label={t('web:clearFilter', { name: label })}
          title={t('web:clearFilter', { name: label })}
          className="-ml-1 flex size-11 shrink-0 items-center justify-center rounded-full text-soft hover:text-ink"
          onClick={(event) => {
            // The clear button disappears with the filter, so the control takes the focus.
            control.focus();
            event.stopPropagation();
            onClear();
          }}
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      )}
    </div>
  );
}

const CONTROL =
  'h-11 min-w-0 grow cursor-pointer truncate rounded-full max-sm:basis-24 bg-transparent pr-3.5 pl-2 text-left text-base outline-none! disabled:opacity-50 sm:text-dense';

type DateChipProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  min?: string | undefined;
};

/** A filter for the first or last day of a list. */
export function DateChip({ label, value, onChange, min }: DateChipProps) {
  return (
    <FilterChip label={label} onClear={value === '' ? undefined : () => onChange('')}>
      {(control) => (
        <input
          {...control}
          type="date"
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          min={min}
        />
      )}
    </FilterChip>
  );
}

type SelectChipProps = {
  label: string;
  value: string;
  onChange: (value: string) => void;
  choices: readonly Choice[];
  /** The option for no filter; without it the chip always has a value. */
  all?: string;
  place?: FocusTarget;
};

/** A filter with a native select. */
export function SelectChip({ label, value, onChange, choices, all, place }: SelectChipProps) {
  return (
    <FilterChip
      label={label}
      onClear={all === undefined || value === '' ? undefined : () => onChange('')}
      place={place}
    >
      {(control) => (
        <select
          {...control}
          className={`${control.className} sm:max-w-52 sm:field-sizing-content`}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        >
          <Choices choices={choices} prompt={all} />
        </select>
      )}
    </FilterChip>
  );
}

type PressChipProps = {
  label: string;
  text: string;
  onPress: () => void;
  onClear?: (() => void) | undefined;
};

/** A filter whose value is chosen in its own dialog. */
export function PressChip({ label, text, onPress, onClear }: PressChipProps) {
  return (
    <FilterChip label={label} onClear={onClear}>
      {(control) => (
        <button
          {...control}
          type="button"
          aria-haspopup="dialog"
          aria-label={`${label}: ${text}`}
          onClick={onPress}
        >
          {text}
        </button>
      )}
    </FilterChip>
  );
}

type DateRangeChipsProps = {
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  /** Gets only the date that was set or cleared. */
  onChange: (change: { startDate: CalendarDate | undefined } | { endDate: CalendarDate | undefined }) => void;
};

/** Filters for the first and last day of a list. The last day can't be before the first. */
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
