import type { PublicSchool } from '#features/schools/contract.ts';
import { PersonActivityChips } from '#features/time-entries/admin-list/web/admin-filter-chips.tsx';
import { applyFilter } from '#features/time-entries/admin-list/web/admin-filters.ts';
import type { Flag } from '#features/time-entries/entry-flags.ts';
import { FLAGS, type Status } from '#features/time-entries/verification-status.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { CollapsibleFilters } from '#web/ui/admin/collapsible-filters.tsx';
import { DateRangeChips, SelectChip } from '#web/ui/admin/filter-chip.tsx';
import { LinkButton } from '#web/ui/button.tsx';

/** The filters of the verification queue. */
export type VerificationQueueFilters = Readonly<{
  status: Status;
  activityId: Id | undefined;
  user: Readonly<{ id: Id; name: string }> | undefined;
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  flag: Flag | undefined;
}>;

/** All waiting entries. */
export const ALL_PENDING: VerificationQueueFilters = {
  status: 'waiting',
  activityId: undefined,
  user: undefined,
  startDate: undefined,
  endDate: undefined,
  flag: undefined,
};

/** The filters as request parameters. */
export function verificationQueueParams(
  { status, activityId, user, startDate, endDate, flag }: VerificationQueueFilters,
  schoolId: Id,
) {
  return { schoolId, status, activityId, userId: user?.id, startDate, endDate, flag };
}

/** The number of filters set, without the status. */
export function countQueueFilters({
  activityId,
  user,
  startDate,
  endDate,
  flag,
}: VerificationQueueFilters): number {
  return [activityId, user, startDate, endDate, flag].filter((one) => one !== undefined).length;
}

/** The label of each flag. */
export const FLAG_LABELS = {
  longEntry: 'verification:flagLongEntry',
  longDay: 'verification:flagLongDay',
  sameDay: 'verification:flagSameDay',
  late: 'verification:flagLate',
  outsideDates: 'verification:flagOutsideDates',
  unusual: 'verification:flagUnusual',
} as const satisfies Record<Flag, MessageKey>;

type VerificationFilterBarProps = {
  school: PublicSchool;
  filters: VerificationQueueFilters;
  onChange: (filters: VerificationQueueFilters) => void;
};

/** The filters of the verification queue other than the status. */
export function VerificationFilterBar({ school, filters, onChange }: VerificationFilterBarProps) {
  const { t } = useTranslation();
  const set = (change: Partial<VerificationQueueFilters>) => onChange(applyFilter(filters, change));
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
