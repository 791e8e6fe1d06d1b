import type { ReactNode } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { capitalizeFirst, formatWeekday } from '#shared/calendar-date.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { CollapsibleFilters } from '#web/ui/admin/collapsible-filters.tsx';
import { DateRangeChips, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { type EntrySort, SORT_ORDERS, SORTS } from '../../contract.ts';
import { STATUSES } from '../../verification-status.ts';
import { STATUS_LABELS } from '../../web/verification-status-badge.tsx';
import { PersonActivityChips } from './admin-filter-chips.tsx';
import {
  applyFilter,
  countActiveFilters,
  daysOf,
  type Filters,
  isFiltered,
  NO_FILTERS,
  RANGES,
} from './admin-filters.ts';

type FilterBarProps = {
  /** Undefined means all schools. */
  school: PublicSchool | undefined;
  district: District;
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** Whether the school verifies hours, so that entries have a state. */
  isVerifying: boolean;
  /** Buttons next to the filter button, on phones. */
  start: ReactNode;
  end: ReactNode;
};

/** The filters of the entries. */
export function FilterBar({ school, district, filters, onChange, isVerifying, ...beside }: FilterBarProps) {
  const { t, language } = useTranslation();
  const range = RANGES.find((one) => {
    const { startDate, endDate } = daysOf(one, district);
    return filters.startDate === startDate && filters.endDate === endDate;
  });
  const set = (change: Partial<Filters>) => onChange(applyFilter(filters, change));
  return (
    <CollapsibleFilters count={countActiveFilters(filters)} {...beside}>
      <SelectChip
        label={t('time-entries:period')}
        all={t('time-entries:anyTime')}
        value={range ?? ''}
        onChange={(value) => {
          const next = RANGES.find((one) => one === value);
          set(next === undefined ? { startDate: undefined, endDate: undefined } : daysOf(next, district));
        }}
        choices={RANGES.map((one) => ({ value: one, text: t(`time-entries:${one}`) }))}
      />
      <DateRangeChips startDate={filters.startDate} endDate={filters.endDate} onChange={set} />
      <SelectChip
        label={t('time-entries:weekday')}
        all={t('time-entries:allWeekdays')}
        value={filters.weekday === undefined ? '' : String(filters.weekday)}
        onChange={(value) => set({ weekday: value === '' ? undefined : Number(value) })}
        choices={WEEKDAYS.map((one) => ({
          value: String(one),
          text: capitalizeFirst(formatWeekday(one, language)),
        }))}
      />
      <PersonActivityChips schoolId={school?.id} filters={filters} onChange={set} />
      {isVerifying && (
        <SelectChip
          label={t('time-entries:state')}
          all={t('time-entries:anyState')}
          value={filters.status ?? ''}
          onChange={(value) => set({ status: STATUSES.find((status) => status === value) })}
          choices={STATUSES.map((status) => ({ value: status, text: t(STATUS_LABELS[status]) }))}
        />
      )}
      <SelectChip
        label={t('time-entries:sortBy')}
        value={filters.sortBy}
        onChange={(value) => set({ sortBy: SORTS.find((sort) => sort === value) ?? NO_FILTERS.sortBy })}
        choices={SORTS.map((sort) => ({ value: sort, text: t(SORT_NAMES[sort]) }))}
      />
      <SelectChip
        label={t('time-entries:sortOrder')}
        value={filters.sortOrder}
        onChange={(value) => set({ sortOrder: value === 'asc' ? 'asc' : 'desc' })}
        choices={SORT_ORDERS.map((order) => ({
          value: order,
          text: t(order === 'asc' ? 'time-entries:ascending' : 'time-entries:descending'),
        }))}
      />
      <LinkButton isDisabled={!isFiltered(filters)} onPress={() => onChange(NO_FILTERS)}>
        {t('web:resetAll')}
      </LinkButton>
    </CollapsibleFilters>
  );
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

const SORT_NAMES = {
  entryDate: 'time-entries:date',
  userName: 'time-entries:user',
  activityName: 'time-entries:activity',
  hours: 'time-entries:hoursField',
  activityDate: 'time-entries:activityDate',
} as const satisfies Record<EntrySort, MessageKey>;
