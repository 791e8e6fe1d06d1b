import { useState } from 'react';
import { useActivities } from '#rooms/activities/web/api.ts';
import type { PublicSchool } from '#rooms/schools/contract.ts';
import type { Flag } from '#rooms/time-entries/flags.ts';
import { FLAGS } from '#rooms/time-entries/verification.ts';
import { UserPicker } from '#rooms/users/web/admin-user-picker.tsx';
import { type TextKey, useText } from '#web/lib/text.ts';
import { DateRangeChips } from '#web/ui/admin/date-range-chips.tsx';
import { PressChip, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { FilterFold } from '#web/ui/admin/filter-fold.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import {
  countDeskFilters,
  type DeskFilters,
  EVERYTHING_WAITING,
  withDeskFilter,
} from './admin-verifier-filters.ts';

/** What each flag says. */
export const FLAG_WORDS = {
  longEntry: 'verification:flagLongEntry',
  longDay: 'verification:flagLongDay',
  sameDay: 'verification:flagSameDay',
  late: 'verification:flagLate',
  outsideDates: 'verification:flagOutsideDates',
  unusual: 'verification:flagUnusual',
} as const satisfies Record<Flag, TextKey>;

type DeskFilterBarProps = {
  school: PublicSchool;
  filters: DeskFilters;
  onChange: (filters: DeskFilters) => void;
};

/** The filters of the desk, besides the state. */
export function DeskFilterBar({ school, filters, onChange }: DeskFilterBarProps) {
  const { t } = useText();
  const [isPicking, setIsPicking] = useState(false);
  const activities = useActivities(school.id);
  const set = (change: Partial<DeskFilters>) => onChange(withDeskFilter(filters, change));
  const count = countDeskFilters(filters);
  return (
    <FilterFold count={count}>
      <DateRangeChips startDate={filters.startDate} endDate={filters.endDate} onChange={set} />
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
        label={t('verification:flag')}
        all={t('verification:allFlags')}
        value={filters.flag ?? ''}
        onChange={(value) => set({ flag: FLAGS.find((flag) => flag === value) })}
        choices={FLAGS.map((flag) => ({ value: flag, text: t(FLAG_WORDS[flag]) }))}
      />
      <LinkButton
        isDisabled={count === 0}
        onPress={() => onChange({ ...EVERYTHING_WAITING, status: filters.status })}
      >
        {t('web:resetAll')}
      </LinkButton>
      <Dialog title={t('users:chooseVolunteer')} isOpen={isPicking} onClose={() => setIsPicking(false)}>
        <UserPicker
          schoolId={school.id}
          onPick={({ id, name }) => {
            set({ user: { id, name } });
            setIsPicking(false);
          }}
        />
      </Dialog>
    </FilterFold>
  );
}
