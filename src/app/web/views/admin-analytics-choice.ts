import type { Id } from '#base/id.ts';
import type { Days } from '#rooms/analytics/web/days.ts';

/** The select's value for the whole district. */
export const WHOLE = 'district';

/** The chosen school or the whole district, and the period, of the analytics page. */
export type AnalyticsChoice = Readonly<{ schoolId: Id | typeof WHOLE | undefined; days: Days }>;

/** Nothing chosen yet, all days included. */
export const NO_CHOICE: AnalyticsChoice = { schoolId: undefined, days: {} };
