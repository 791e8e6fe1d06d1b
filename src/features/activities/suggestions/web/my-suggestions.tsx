import { useState } from 'react';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type Status, type StatusCounts } from '../contract.ts';
import { useMySuggestions } from './api.ts';
import { SuggestionCard } from './suggestion-card.tsx';

type MySuggestionsProps = {
  zone: string;
  /** The schools whose activities the viewer can log hours for. */
  schoolIds: readonly Id[];
  onActivity: (activity: { id: number; schoolId: number }) => void;
  onNew: () => void;
};

/** The viewer's suggestions at all schools, by status. */
export function MySuggestions({ zone, schoolIds, onActivity, onNew }: MySuggestionsProps) {
  const { t, say } = useTranslation();
  const [status, setStatus] = useState<Status>();
  const list = useMySuggestions(status, true);
  const { suggestions, statusCounts } = list.data ?? {};
  return (
    <div className="flex flex-col gap-3">
      {statusCounts !== undefined && statusCounts.total > 0 && (
        <StatusFilter counts={statusCounts} status={status} onStatus={setStatus} />
      )}
      {list.isError && (
        <ErrorBox
          text={say(messages.failedToLoadOwn)}
          detail={failureText(list.error)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {suggestions === undefined && !list.isError && <SkeletonRows rows={3} isTall />}
      {suggestions?.length === 0 &&
        (statusCounts?.total === 0 ? (
          <div className="flex flex-col items-start gap-4">
            <p>{t('suggestions:noneYet')}</p>
            <Button kind="primary" onPress={onNew}>
              {t('suggestions:new')}
            </Button>
          </div>
        ) : (
          <p className="text-soft">{t('suggestions:noneOfStatus')}</p>
        ))}
      {suggestions !== undefined && suggestions.length > 0 && (
        <ul aria-label={t('suggestions:mine')} className="flex flex-col gap-3">
          {suggestions.map((suggestion) => (
            <SuggestionCard
              key={suggestion.id}
              suggestion={suggestion}
              zone={zone}
              isSchoolShown={schoolIds.length !== 1 || schoolIds[0] !== suggestion.schoolId}
              onActivity={schoolIds.includes(suggestion.schoolId) ? onActivity : undefined}
            />
          ))}
        </ul>
      )}
      {list.hasNextPage && (
        <div className="flex justify-center">
          <Button onPress={() => void list.fetchNextPage()} isBusy={list.isFetchingNextPage}>
            {t('web:showMore')}
          </Button>
        </div>
      )}
    </div>
  );
}

type StatusFilterProps = {
  counts: StatusCounts;
  status: Status | undefined;
  onStatus: (status: Status | undefined) => void;
};

function StatusFilter({ counts, status, onStatus }: StatusFilterProps) {
  const { t } = useTranslation();
  const { pending, approved, rejected, total } = counts;
  const deleted = total - pending - approved - rejected;
  return (
    <FilterPills<Status | undefined>
      label={t('suggestions:filter')}
      value={status}
      onChange={onStatus}
      choices={[
        { value: undefined, text: t('suggestions:all', { count: total }) },
        { value: 'pending', text: t('suggestions:pendingCount', { count: pending }) },
        { value: 'approved', text: t('suggestions:approvedCount', { count: approved }) },
        { value: 'rejected', text: t('suggestions:rejectedCount', { count: rejected }) },
        // The specification has no count of deleted ones, so that filter is shown only to people who have some.
        ...(deleted === 0
          ? []
          : [{ value: 'deleted', text: t('suggestions:deletedCount', { count: deleted }) } as const]),
      ]}
    />
  );
}
