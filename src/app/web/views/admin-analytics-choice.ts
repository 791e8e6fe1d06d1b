import type { Id } from '#base/id.ts';
import type { Days } from '#rooms/analytics/web/days.ts';
import type { Only } from '#rooms/time-entries/verification.ts';

/** The select's value for the whole district. */
export const WHOLE = 'district';

/** The chosen school or the whole district, the period, and which hours, of the analytics page. */
export type AnalyticsChoice = Readonly<{
  schoolId: Id | typeof WHOLE | undefined;
  days: Days;
  only: Only | undefined;
}>;

/** Nothing chosen yet, all days and hours included. */
export const NO_CHOICE: AnalyticsChoice = { schoolId: undefined, days: {}, only: undefined };
