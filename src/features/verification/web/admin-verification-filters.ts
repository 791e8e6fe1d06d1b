import type { Flag } from '#features/time-entries/entry-flags.ts';
import type { Status } from '#features/time-entries/verification-status.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';

/** What the desk shows. */
export type VerificationQueueFilters = Readonly<{
  status: Status;
  activityId: Id | undefined;
  user: Readonly<{ id: Id; name: string }> | undefined;
  startDate: CalendarDate | undefined;
  endDate: CalendarDate | undefined;
  flag: Flag | undefined;
}>;

/** Everything that waits. */
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

/** How many filters are set besides the state. */
export function countQueueFilters({
  activityId,
  user,
  startDate,
  endDate,
  flag,
}: VerificationQueueFilters): number {
  return [activityId, user, startDate, endDate, flag].filter((one) => one !== undefined).length;
}

/** Applies a change; an end before the new start is cleared. */
export function applyQueueFilter(
  filters: VerificationQueueFilters,
  change: Partial<VerificationQueueFilters>,
): VerificationQueueFilters {
  const next = { ...filters, ...change };
  const { startDate, endDate } = next;
  if (startDate === undefined || endDate === undefined || startDate <= endDate) return next;
  return 'endDate' in change ? { ...next, endDate: filters.endDate } : { ...next, endDate: undefined };
}
