import type { PublicSchool } from '#features/schools/contract.ts';
import { PersonActivityChips } from '#features/time-entries/admin-list/web/admin-filter-chips.tsx';
import type { Flag } from '#features/time-entries/entry-flags.ts';
import { FLAGS } from '#features/time-entries/verification-status.ts';
import { type TextKey, useText } from '#web/i18n/translate.ts';
import { FilterFold } from '#web/ui/admin/collapsible-filters.tsx';
import { DateRangeChips } from '#web/ui/admin/date-range-chips.tsx';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import {
  countDeskFilters,
  type DeskFilters,
  EVERYTHING_WAITING,
  withDeskFilter,
} from './admin-verification-filters.ts';

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
  const set = (change: Partial<DeskFilters>) => onChange(withDeskFilter(filters, change));
  const count = countDeskFilters(filters);
  return (
    <FilterFold count={count}>
      <DateRangeChips startDate={filters.startDate} endDate={filters.endDate} onChange={set} />
      <PersonActivityChips schoolId={school.id} filters={filters} onChange={set} />
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
    </FilterFold>
  );
}
