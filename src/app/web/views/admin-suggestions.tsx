import { messages } from '#rooms/suggestions/contract.ts';
import type { AdminSuggestionsProps } from '#rooms/suggestions/web/admin-suggestions.tsx';
import { useText } from '#web/lib/text.ts';
import { usePart } from '#web/lib/use-part.ts';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';

export const SUGGESTIONS = {
  name: 'admin-suggestions',
  load: () => import('./admin-suggestions-part.tsx'),
} as const;

/** The Suggestions tab, loaded in the background while another is open. */
export function Suggestions(props: AdminSuggestionsProps) {
  const { t, say } = useText();
  const part = usePart(SUGGESTIONS.name, SUGGESTIONS.load);
  if (part.data !== undefined) return <part.data.AdminSuggestions {...props} />;
  return (
    <section className="flex flex-col gap-4">
      <ListTitle title={t('suggestions:title')} aside={props.filter} />
      {part.isError ? (
        <ErrorBox
          text={say(messages.failedToLoad)}
          onRetry={() => void part.refetch()}
          isRetrying={part.isFetching}
        />
      ) : (
        <SkeletonRows rows={6} isTall />
      )}
    </section>
  );
}
