import { Check, CircleX, Clock, Trash2 } from 'lucide-react';
import { formatDay } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import type { Status, Suggestion } from '../contract.ts';

const STATUS_LOOKS = {
  pending: { tone: 'notice', text: 'suggestions:pending', Icon: Clock },
  approved: { tone: 'brand', text: 'suggestions:approvedStatus', Icon: Check },
  rejected: { tone: 'danger', text: 'suggestions:rejectedStatus', Icon: CircleX },
  deleted: { tone: 'grey', text: 'suggestions:deletedStatus', Icon: Trash2 },
} as const;

/** The status of a suggestion as a word, an icon and a color. */
export function StatusBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  const { tone, text, Icon } = STATUS_LOOKS[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" className="size-3.5" />}>
      {t(text)}
    </Badge>
  );
}

/** The suggested dates, if any: 'Mar 1, 2026', or a range. */
export function SuggestedDates({ suggestion }: { suggestion: Suggestion }) {
  const { t, language } = useTranslation();
  const { activeFrom, activeUntil } = suggestion;
  if (activeFrom === null) return null;
  const from = formatDay(activeFrom, language);
  if (activeUntil === null || activeUntil === activeFrom) return <span>{from}</span>;
  return <span>{t('activities:fromTo', { from, to: formatDay(activeUntil, language) })}</span>;
}
