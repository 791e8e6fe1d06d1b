import { useClosedPeriod } from '#features/activities/web/api.ts';
import type { Id } from '#shared/id.ts';

/** Returns why hours of a day cannot be logged or changed, or undefined. */
export type ClosedDayReason = (date: string) => string | undefined;

/** The closed days of a school. No day is closed until its activities are loaded; until then only the server rejects them. */
export function useClosedDays(schoolId: Id): ClosedDayReason {
  const closed = useClosedPeriod(schoolId);
  return (date) => (closed && date < closed.before ? closed.message : undefined);
}
