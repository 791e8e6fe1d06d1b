import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { TabPlaceholder } from './admin-tab-placeholder.tsx';

/** The Suggestions tab, loaded in the background while another is open. */
export const Suggestions = lazyScreen(
  async () => (await import('#features/activities/suggestions/web/admin-suggestions.tsx')).AdminSuggestions,
  ({ given, failed }) => <TabPlaceholder title="suggestions:title" aside={given.filter} failed={failed} />,
);
