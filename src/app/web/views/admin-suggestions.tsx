import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { TabToCome } from './admin-tab-to-come.tsx';

/** The Suggestions tab, loaded in the background while another is open. */
export const Suggestions = lazyScreen(
  async () => (await import('#rooms/suggestions/web/admin-suggestions.tsx')).AdminSuggestions,
  ({ given, failed }) => <TabToCome title="suggestions:title" aside={given.filter} failed={failed} />,
);
