import type { OpenEntries } from '#features/reports/analytics/web/admin-analytics.tsx';
import { type Filters, NO_FILTERS } from '#features/time-entries/admin-list/web/admin-filters.ts';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { skipTarget } from '#web/ui/skip-link.tsx';

/** The analytics page, loaded when somebody opens it. */
export const AnalyticsPage = lazyScreen(
  async () => (await import('./admin-analytics.tsx')).AnalyticsView,
  ({ failed }) => (
    <main {...skipTarget} className="mx-auto w-full max-w-288 px-4 py-24 outline-none">
      {failed ?? <SkeletonRows rows={4} isTall />}
    </main>
  ),
);

/** The filters that find the time entries behind a figure. */
export function filtersOf(trace: OpenEntries): Filters {
  const { startDate, endDate, weekday, activityId, user, status } = trace;
  return { ...NO_FILTERS, startDate, endDate, weekday, activityId, user, status };
}
