import type { PublicSchool } from '#features/schools/contract.ts';
import { PersonActivityChips } from '#features/time-entries/admin-list/web/admin-filter-chips.tsx';
import type { Flag } from '#features/time-entries/entry-flags.ts';
import { FLAGS } from '#features/time-entries/verification-status.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { CollapsibleFilters } from '#web/ui/admin/collapsible-filters.tsx';
import { DateRangeChips } from '#web/ui/admin/date-range-chips.tsx';
import { SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import {
  ALL_PENDING,
  applyQueueFilter,
  countQueueFilters,
  type VerificationQueueFilters,
} from './admin-verification-filters.ts';

/** What each flag says. */
export const FLAG_LABELS = {
  longEntry: 'verification:flagLongEntry',
  longDay: 'verification:flagLongDay',
  sameDay: 'verification:flagSameDay',
  late: 'verification:flagLate',
  outsideDates: 'verification:flagOutsideDates',
  unusual: 'verification:flagUnusual',
} as const satisfies Record<Flag, MessageKey>;

type DeskFilterBarProps = {
  school: PublicSchool;
  filters: VerificationQueueFilters;
  onChange: (filters: VerificationQueueFilters) => void;
};

/** The filters of the desk, besides the state. */
export function VerificationFilterBar({ school, filters, onChange }: DeskFilterBarProps) {
  const { t } = useTranslation();
  const set = (change: Partial<VerificationQueueFilters>) => onChange(applyQueueFilter(filters, change));
  const count = countQueueFilters(filters);
  return (
    <CollapsibleFilters count={count}>
      <DateRangeChips startDate={filters.startDate} endDate={filters.endDate} onChange={set} />
      <PersonActivityChips schoolId={school.id} filters={filters} onChange={set} />
      <SelectChip
        label={t('verification:flag')}
        all={t('verification:allFlags')}
        value={filters.flag ?? ''}
        onChange={(value) => set({ flag: FLAGS.find((flag) => flag === value) })}
        choices={FLAGS.map((flag) => ({ value: flag, text: t(FLAG_LABELS[flag]) }))}
      />
      <LinkButton
        isDisabled={count === 0}
        onPress={() => onChange({ ...ALL_PENDING, status: filters.status })}
      >
        {t('web:resetAll')}
      </LinkButton>
    </CollapsibleFilters>
  );
}
