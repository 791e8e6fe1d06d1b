import { Check, Trash2, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { CategoryDot } from '#web/ui/category.tsx';
import type { AdminSuggestion } from '../contract.ts';
import { StatusBadge, SuggestedDates } from './suggestion-status-badge.tsx';

/** An administrator's actions on a suggestion. */
export type SuggestionAction = 'approve' | 'reject' | 'delete';

type SuggestionDetailsProps = {
  suggestion: AdminSuggestion;
  zone: string;
  /** True in the list of all schools. */
  isSchoolShown: boolean;
  onAction: (action: SuggestionAction) => void;
};

/** A suggestion in full: the suggested values, the decision, and the administrator's actions. */
export function SuggestionDetails({ suggestion, zone, isSchoolShown, onAction }: SuggestionDetailsProps) {
  const { t, language } = useTranslation();
  const { name, user, category, description, reason, activeFrom, adminReason } = suggestion;
  return (
    <>
      <div className="flex flex-col gap-2">
        <span className="flex flex-wrap gap-1.5">
          <StatusBadge status={suggestion.status} />
          {suggestion.isYearLong && <Badge>{t('suggestions:yearLong')}</Badge>}
        </span>
        <h3 className="text-xl font-semibold wrap-anywhere">{name}</h3>
        <p className="text-dense text-soft">
          {t('suggestions:suggestedOn', { date: formatDay(dayIn(zone, suggestion.createdAt), language) })}
        </p>
      </div>
      <dl className="flex flex-col gap-3">
        <Fact name={t('suggestions:by')}>
          {fullName(user)}
          {user.email !== null && (
            <>
              {' '}
              <a
                className="inline-flex min-h-11 items-center font-medium wrap-anywhere text-brand underline underline-offset-4"
                href={`mailto:${user.email}`}
              >
                {user.email}
              </a>
            </>
          )}
        </Fact>
        {isSchoolShown && <Fact name={t('suggestions:school')}>{suggestion.school.name}</Fact>}
        {category !== null && (
          <Fact name={t('suggestions:category')}>
            <span className="flex items-center gap-2">
              <CategoryDot color={category.color} />
              {category.name}
            </span>
          </Fact>
        )}
        {activeFrom !== null && (
          <Fact name={t('suggestions:dates')}>
            <SuggestedDates suggestion={suggestion} />
          </Fact>
        )}
        {description !== null && <Fact name={t('suggestions:description')}>{description}</Fact>}
        {reason !== null && <Fact name={t('suggestions:reason')}>{reason}</Fact>}
      </dl>
      {suggestion.status !== 'pending' && (
        <div className="flex flex-col gap-1 border-l-3 border-field pl-3">
          <p className="text-dense text-soft">{decisionOf(suggestion, zone, { t, language })}</p>
          {suggestion.approvedActivity !== null && (
            <p className="flex flex-wrap items-center gap-2">
              {t('suggestions:approvedAs', { name: suggestion.approvedActivity.name })}
              <Badge tone={suggestion.approvedActivity.isActive ? 'brand' : 'grey'}>
                {t(
                  suggestion.approvedActivity.isActive
                    ? 'suggestions:activityActive'
                    : 'suggestions:activityInactive',
                )}
              </Badge>
            </p>
          )}
          {adminReason !== null && <p className="whitespace-pre-line wrap-anywhere">{adminReason}</p>}
        </div>
      )}
      <Actions suggestion={suggestion} onAction={onAction} />
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt className="text-sm text-soft">{name}</dt>
      <dd className="whitespace-pre-line wrap-anywhere">{children}</dd>
    </div>
  );
}

function Actions({ suggestion, onAction }: Pick<SuggestionDetailsProps, 'suggestion' | 'onAction'>) {
  const { t } = useTranslation();
  const { name, canEdit, canDelete } = suggestion;
  return (
    <div className="flex flex-wrap gap-2">
      {canEdit && (
        <>
          <Button
            kind="primary"
            label={t('suggestions:approveOne', { name })}
            icon={<Check aria-hidden="true" className="size-5" />}
            onPress={() => onAction('approve')}
          >
            {t('suggestions:approve')}
          </Button>
          <Button
            label={t('suggestions:rejectOne', { name })}
            icon={<X aria-hidden="true" className="size-5" />}
            onPress={() => onAction('reject')}
          >
            {t('suggestions:reject')}
          </Button>
        </>
      )}
      {canDelete && (
        <span className="ml-auto [&_button]:text-danger">
          <Button
            kind="plain"
            label={t('suggestions:deleteOne', { name })}
            icon={<Trash2 aria-hidden="true" className="size-5" />}
            onPress={() => onAction('delete')}
          >
            <span className="max-sm:sr-only">{t('suggestions:delete')}</span>
          </Button>
        </span>
      )}
    </div>
  );
}

const DECISION_TEXTS = {
  approved: { by: 'suggestions:approvedBy', on: 'suggestions:approvedOn' },
  rejected: { by: 'suggestions:rejectedBy', on: 'suggestions:rejectedOn' },
  deleted: { by: 'suggestions:deletedBy', on: 'suggestions:deletedOn' },
} as const;

function decisionOf(
  { status, decidedBy, decidedAt }: AdminSuggestion,
  zone: string,
  { t, language }: Pick<ReturnType<typeof useTranslation>, 't' | 'language'>,
): string {
  if (status === 'pending' || decidedAt === null) return '';
  const date = formatDay(dayIn(zone, decidedAt), language);
  const { by, on } = DECISION_TEXTS[status];
  if (decidedBy === null) return t(on, { date });
  return t(by, { date, name: fullName(decidedBy) });
}
