import type { Id } from '#base/id.ts';
import type { Days } from '#rooms/analytics/web/days.ts';

/** In the place of a school: all of them. */
export const WHOLE = 'district';

/** Which school, or the whole district, and which days the analytics are about. */
export type AnalyticsChoice = Readonly<{ schoolId: Id | typeof WHOLE | undefined; days: Days }>;

/** Nothing chosen yet, and no day left out. */
export const NO_CHOICE: AnalyticsChoice = { schoolId: undefined, days: {} };
