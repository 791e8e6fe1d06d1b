import type { VerifiedOnlyFilter } from '#features/time-entries/verification-status.ts';
import type { Id } from '#shared/id.ts';
import type { Days } from './period-presets.ts';

/** The select's value for the whole district. */
export const WHOLE_DISTRICT = 'district';

/** The filters of the analytics page: a school or the whole district, the period, and which hours. */
export type AnalyticsChoice = Readonly<{
  schoolId: Id | typeof WHOLE_DISTRICT | undefined;
  /** Undefined means this school year. */
  days: Days | undefined;
  only: VerifiedOnlyFilter | undefined;
}>;

/** The initial filters: the whole district and this school year (decisions: analytics). */
export const FIRST_CHOICE: AnalyticsChoice = { schoolId: undefined, days: undefined, only: undefined };
