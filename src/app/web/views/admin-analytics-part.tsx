import type { Trace } from '#rooms/analytics/web/admin-analytics.tsx';
import { type District, messages } from '#rooms/district/contract.ts';
import { type Filters, NO_FILTERS } from '#rooms/time-entries/web/admin-filters.ts';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { skipTarget } from '#web/ui/skip-link.tsx';
import type { AnalyticsChoice } from './admin-analytics-choice.ts';

type AnalyticsPartProps = {
  district: District;
  role: string | undefined;
  choice: AnalyticsChoice;
  onChoice: (choice: AnalyticsChoice) => void;
  onTrace: (trace: Trace) => void;
  onBack: () => void;
};

/** The analytics page, loaded when somebody opens it. */
export function AnalyticsPart(props: AnalyticsPartProps) {
  const { say } = useText();
  const page = usePart('admin-analytics', () => import('./admin-analytics.tsx'));
  if (page.data !== undefined) return <page.data.AnalyticsView {...props} />;
  return (
    <main {...skipTarget} className="mx-auto w-full max-w-288 px-4 py-24 outline-none">
      {page.isError ? (
        <ErrorBox text={say(messages.failedToLoad)} onRetry={() => location.reload()} />
      ) : (
        <SkeletonRows rows={4} isTall />
      )}
    </main>
  );
}

/** The filters that find the time entries behind a figure. */
export function filtersOf(trace: Trace): Filters {
  const { startDate, endDate, weekday, activityId, user, status } = trace;
  return { ...NO_FILTERS, startDate, endDate, weekday, activityId, user, status };
}
