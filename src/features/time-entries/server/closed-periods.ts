import type { Terms } from '#features/activities/server/actions.ts';
import { closedBefore, closedMessages, closingDayText } from '#features/schools/closed-period.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, canAt } from '#server/http/viewer.ts';
import type { CalendarDate } from '#shared/calendar-date.ts';
import { refuse } from '#shared/errors.ts';
import { today } from './entry-rules.ts';

/** Hours that are about to be created, changed or deleted: of these days, at a school with these terms. */
export type AffectedHours = Readonly<{
  schoolId: number;
  terms: Pick<Terms, 'school' | 'closedBefore' | 'lateAfterDays'>;
  dates: readonly CalendarDate[];
  reason?: string | null | undefined;
}>;

/**
 * Refuses hours of a closed period: volunteers' at all (409), administrators' when they do not say why (400). Returns
 * what is to be recorded of it: the reason, where one was needed.
 */
export function rejectClosedPeriod(
  deps: Deps,
  { viewer, request }: Acting,
  { schoolId, terms, dates, reason }: AffectedHours,
): { reason?: string } {
  const here = today(deps, request);
  const before = closedBefore(terms, here);
  if (before === null || dates.every((date) => date >= before)) return {};
  const date = closingDayText(before, here, deps.catalogue.language);
  if (!canAt(viewer, 'edit entries', schoolId)) {
    throw refuse.conflict(closedMessages.closed(date, terms.school.name));
  }
  if (reason === undefined || reason === null) {
    const problem = closedMessages.reasonNeeded(date);
    throw refuse.invalid(problem, { reason: problem });
  }
  return { reason };
}
