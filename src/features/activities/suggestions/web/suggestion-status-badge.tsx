import { Check, CircleX, Clock, Trash2 } from 'lucide-react';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import type { Status } from '../contract.ts';

const LOOKS = {
  pending: { tone: 'notice', text: 'suggestions:pending', Icon: Clock },
  approved: { tone: 'brand', text: 'suggestions:approvedStatus', Icon: Check },
  rejected: { tone: 'danger', text: 'suggestions:rejectedStatus', Icon: CircleX },
  deleted: { tone: 'grey', text: 'suggestions:deletedStatus', Icon: Trash2 },
} as const;

/** The status of a suggestion as a word, an icon and a colour. */
export function StatusBadge({ status }: { status: Status }) {
  const { t } = useTranslation();
  const { tone, text, Icon } = LOOKS[status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" className="size-3.5" />}>
      {t(text)}
    </Badge>
  );
}
