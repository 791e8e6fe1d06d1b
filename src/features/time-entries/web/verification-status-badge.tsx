import { CircleCheck, CircleSlash, Hourglass } from 'lucide-react';
import { type MessageKey, useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import type { TimeEntry } from '../contract.ts';
import type { Status } from '../verification-status.ts';

/** The label of each status. */
export const STATUS_LABELS = {
  waiting: 'time-entries:stateWaiting',
  verified: 'time-entries:stateVerified',
  declined: 'time-entries:stateDeclined',
} as const satisfies Record<Status, MessageKey>;

const LOOKS = {
  waiting: { tone: 'notice', Icon: Hourglass },
  verified: { tone: 'brand', Icon: CircleCheck },
  declined: { tone: 'danger', Icon: CircleSlash },
} as const;

/** The status of an entry as a label, an icon and a color; nothing at a school that does not verify hours. */
export function VerificationStatusBadge({
  entry: { verification },
}: {
  entry: Pick<TimeEntry, 'verification'>;
}) {
  const { t } = useTranslation();
  if (verification === null) return null;
  const { tone, Icon } = LOOKS[verification.status];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden="true" className="size-3.5" />}>
      {t(STATUS_LABELS[verification.status])}
    </Badge>
  );
}
