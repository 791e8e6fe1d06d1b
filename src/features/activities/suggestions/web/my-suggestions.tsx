import { useState } from 'react';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import type { Id } from '#shared/id.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { messages, type Status, type StatusCounts, type Suggestion } from '../contract.ts';
import { useMySuggestions } from './api.ts';
import { StatusBadge, SuggestedDates } from './suggestion-status-badge.tsx';

type SuggestionCardProps = {
  suggestion: Suggestion;
  zone: string;
  /** Whether to show the school, for a user with more than one. */
  isSchoolShown: boolean;
  /** Opens the activity created from the suggestion; undefined if the viewer can't log hours for it. */
  onActivity: ((activity: { id: number; schoolId: number }) => void) | undefined;
};

/** A suggestion as its author sees it: the suggested values, the decision, and the administrator's reason. */
export function SuggestionCard({ suggestion, zone, isSchoolShown, onActivity }: SuggestionCardProps) {
  const { t, language } = useTranslation();
  const { name, category, description, reason, status, adminReason, school } = suggestion;
  const date = formatDay(dayIn(zone, suggestion.createdAt), language);
  return (
    <li className="flex flex-col gap-2 rounded-card border border-line p-4">
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <h3 className="min-w-0 font-semibold wrap-anywhere">{name}</h3>
        <span className="flex flex-wrap gap-1.5">
          {suggestion.isYearLong && <Badge>{t('suggestions:yearLong')}</Badge>}
          <StatusBadge status={status} />
        </span>
      </div>
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-soft">
        {category !== null && (
          <span className="flex min-w-0 items-center gap-1.5">
            <CategoryDot color={category.color} />
            <span className="wrap-anywhere">{category.name}</span>
          </span>
        )}
        <SuggestedDates suggestion={suggestion} />
        <span className="wrap-anywhere">
          {isSchoolShown
            ? t('suggestions:suggestedFor', { date, school: school.name })
            : t('suggestions:suggestedOn', { date })}
        </span>
      </p>
      {description !== null && <p className="text-dense whitespace-pre-line wrap-anywhere">{description}</p>}
      {reason !== null && <p className="text-dense whitespace-pre-line text-soft wrap-anywhere">{reason}</p>}
      {adminReason !== null && (status === 'rejected' || status === 'deleted') && (
        <figure className="rounded-xl bg-wash px-4 py-3">
          <figcaption className="text-sm text-soft">{t('suggestions:feedback')}</figcaption>
          <blockquote className="whitespace-pre-line wrap-anywhere">{adminReason}</blockquote>
        </figure>
      )}
      {status === 'approved' && <Outcome suggestion={suggestion} onActivity={onActivity} />}
    </li>
  );
}

function Outcome({ suggestion, onActivity }: Pick<SuggestionCardProps, 'suggestion' | 'onActivity'>) {
  const { t } = useTranslation();
  const { approvedActivity: activity, schoolId } = suggestion;
  if (activity === null) return <p className="text-dense text-soft">{t('suggestions:activityGone')}</p>;
  const { id, name, isActive } = activity;
  return (
    <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
      {onActivity !== undefined && isActive ? (
        <LinkButton onPress={() => onActivity({ id, schoolId })}>
          {t('suggestions:logFor', { name })}
        </LinkButton>
      ) : (
        <span className="text-dense wrap-anywhere">{t('suggestions:approvedAs', { name })}</span>
      )}
      <Badge tone={isActive ? 'brand' : 'grey'}>
        {t(isActive ? 'suggestions:activityActive' : 'suggestions:activityInactive')}
      </Badge>
    </p>
  );
}

type MySuggestionsProps = {
  zone: string;
  /** The schools where the viewer can log hours. */
  schoolIds: readonly Id[];
  onActivity: (activity: { id: number; schoolId: number }) => void;
  onNew: () => void;
};

/** The viewer's suggestions at all schools, with a filter by status. */
export function MySuggestions({ zone, schoolIds, onActivity, onNew }: MySuggestionsProps) {
  const { t } = useTranslation();
  const [status, setStatus] = useState<Status>();
  const list = useMySuggestions(status);
  const { suggestions, statusCounts } = list.data ?? {};
  return (
    <div className="flex flex-col gap-3">
      {statusCounts !== undefined && statusCounts.total > 0 && (
        <StatusFilter counts={statusCounts} status={status} onStatus={setStatus} />
      )}
      {list.isError && <QueryError text={messages.failedToLoadOwn} query={list} />}
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
        // The specification shows no count of deleted ones, so this filter appears only if there are some.
        ...(deleted === 0
          ? []
          : [{ value: 'deleted', text: t('suggestions:deletedCount', { count: deleted }) } as const]),
      ]}
    />
  );
}
