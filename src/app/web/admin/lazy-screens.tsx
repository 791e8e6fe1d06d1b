import type { ReactNode } from 'react';
import type { OpenEntries } from '#features/reports/analytics/web/admin-analytics.tsx';
import { type Filters, NO_FILTERS } from '#features/time-entries/admin-list/web/admin-filters.ts';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { skipTarget } from '#web/ui/skip-link.tsx';

/** The analytics page, loaded when first opened. */
export const AnalyticsPage = lazyScreen(
  async () => (await import('./admin-analytics.tsx')).AnalyticsView,
  ({ failed }) => (
    <main {...skipTarget} className="mx-auto w-full max-w-288 px-4 py-24 outline-none">
      {failed ?? <SkeletonRows rows={4} isTall />}
    </main>
  ),
);

/** Returns the filters that find the time entries behind a figure. */
export function filtersOf(trace: OpenEntries): Filters {
  const { startDate, endDate, weekday, activityId, user, status } = trace;
  return { ...NO_FILTERS, startDate, endDate, weekday, activityId, user, status };
}

type TabPlaceholderProps = { title: MessageKey; aside: ReactNode; failed: ReactNode };

/** Placeholder for a tab until its list has loaded. */
export function TabPlaceholder({ title, aside, failed }: TabPlaceholderProps) {
  const { t } = useTranslation();
  return (
    <section className="flex flex-col gap-4">
      <ListTitle title={t(title)} aside={aside} />
      {failed ?? <SkeletonRows rows={6} isTall />}
    </section>
  );
}

/** The Photo Sync tab, loaded when first opened. */
export const PhotoSync = lazyScreen(
  async () => (await import('#features/photos/google-drive/web/admin-photo-sync.tsx')).AdminPhotoSync,
  ({ given, failed }) => <TabPlaceholder title="web:photoSync" aside={given.filter} failed={failed} />,
);

/** The Suggestions tab, loaded in the background while another is open. */
export const Suggestions = lazyScreen(
  async () => (await import('#features/activities/suggestions/web/admin-suggestions.tsx')).AdminSuggestions,
  ({ given, failed }) => <TabPlaceholder title="suggestions:title" aside={given.filter} failed={failed} />,
);
