import { type ReactNode, useState } from 'react';
import { formatWeekday } from '#base/calendar-date.ts';
import { useActivities } from '#rooms/activities/web/api.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import { UserPicker } from '#rooms/users/web/admin-user-picker.tsx';
import { type TextKey, useText } from '#web/lib/text.ts';
import { DateRangeChips } from '#web/ui/admin/date-range-chips.tsx';
import { PressChip, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { FilterFold } from '#web/ui/admin/filter-fold.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { type EntrySort, SORT_ORDERS, SORTS } from '../contract.ts';
import { countNarrowing, type Filters, isFiltered, NO_FILTERS, withFilter } from './admin-filters.ts';

type FilterBarProps = {
  school: PublicSchool;
  filters: Filters;
  onChange: (filters: Filters) => void;
  /** Buttons beside the one for the filters, on phones. */
  start: ReactNode;
  end: ReactNode;
};

/** The filters of the entries. */
export function FilterBar({ school, filters, onChange, ...beside }: FilterBarProps) {
  const { t, language } = useText();
  const [isPicking, setIsPicking] = useState(false);
  const activities = useActivities(school.id);
  const set = (change: Partial<Filters>) => onChange(withFilter(filters, change));
  return (
    <FilterFold count={countNarrowing(filters)} {...beside}>
      <DateRangeChips startDate={filters.startDate} endDate={filters.endDate} onChange={set} />
      <SelectChip
        label={t('time-entries:weekday')}
        all={t('time-entries:allWeekdays')}
        value={filters.weekday === undefined ? '' : String(filters.weekday)}
        onChange={(value) => set({ weekday: value === '' ? undefined : Number(value) })}
        choices={WEEKDAYS.map((one) => ({ value: String(one), text: formatWeekday(one, language) }))}
      />
      <PressChip
        label={t('time-entries:user')}
        text={filters.user?.name ?? t('users:allUsers')}
        onPress={() => setIsPicking(true)}
        onClear={filters.user === undefined ? undefined : () => set({ user: undefined })}
      />
      <SelectChip
        label={t('time-entries:activity')}
        all={t('time-entries:allActivities')}
        value={filters.activityId === undefined ? '' : String(filters.activityId)}
        onChange={(value) => set({ activityId: value === '' ? undefined : Number(value) })}
        choices={(activities.data ?? []).map((one) => ({ value: String(one.id), text: one.name }))}
      />
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
      <Dialog title={t('users:chooseVolunteer')} isOpen={isPicking} onClose={() => setIsPicking(false)}>
        <UserPicker
          schoolId={school.id}
          onPick={({ id: userId, name }) => {
            set({ user: { id: userId, name } });
            setIsPicking(false);
          }}
        />
      </Dialog>
    </FilterFold>
  );
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];

const SORT_NAMES = {
  entryDate: 'time-entries:date',
  userName: 'time-entries:user',
  activityName: 'time-entries:activity',
  hours: 'time-entries:hoursField',
  activityDate: 'time-entries:activityDate',
} as const satisfies Record<EntrySort, TextKey>;
