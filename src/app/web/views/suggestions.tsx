import type { SuggestionsProps } from '#rooms/suggestions/web/suggestions-dialog.tsx';
import { useWindowPart } from '#web/lib/use-part.ts';

/** Activity Suggestions, loaded in the background behind the dashboard. */
export function Suggestions(props: SuggestionsProps) {
  const part = useWindowPart('suggestions', () => import('./suggestions-part.tsx'), props);
  return part === undefined ? null : <part.SuggestionsDialog {...props} />;
}
