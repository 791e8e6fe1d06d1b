import { dayIn, formatDay } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import type { Suggestion } from '../contract.ts';
import { SuggestedDates } from './suggested-dates.tsx';
import { StatusBadge } from './suggestion-status-badge.tsx';

type SuggestionCardProps = {
  suggestion: Suggestion;
  zone: string;
  /** Whether to show the school, for somebody with several. */
  isSchoolShown: boolean;
  /** Opens the activity that came of it; undefined when there is none to log hours for. */
  onActivity: ((activity: { id: number; schoolId: number }) => void) | undefined;
};

/** A suggestion as its author sees it: what was suggested, the decision, and the administrator's reason. */
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
