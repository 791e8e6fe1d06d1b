import { lazyDialog } from '#web/ui/lazy-screen.tsx';

/** Activity Suggestions, loaded in the background behind the dashboard. */
export const Suggestions = lazyDialog(
  async () => (await import('#features/activities/suggestions/web/suggestions-dialog.tsx')).SuggestionsDialog,
);
