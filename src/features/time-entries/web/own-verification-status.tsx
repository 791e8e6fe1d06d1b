import { useQueryClient } from '@tanstack/react-query';
import { Info, LockKeyholeOpen } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { User } from '#features/users/contract.ts';
import { dayIn, formatDay, formatDayShort } from '#shared/calendar-date.ts';
import { formatHours, sumHours } from '#shared/hours.ts';
import { call } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { type Text, useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FilterPills } from '#web/ui/filter-pills.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { LIMITS, type TimeEntry } from '../contract.ts';
import { requestReopening } from '../verification-contract.ts';
import { STATUSES, type Status, type Verification } from '../verification-status.ts';
import { EntryFacts } from './entry-row.tsx';
import { STATUS_LABELS, VerificationStatusBadge } from './verification-status-badge.tsx';

/** ', 2 verified' next to the hours of entries at a school that verifies them. */
export function verifiedHoursLabel(entries: readonly TimeEntry[], { t, language }: Text): string {
  const hours = sumHours(entries.map(({ verification }) => verification?.hours ?? 0));
  return `, ${t('time-entries:verifiedPart', { hours: formatHours(hours, language) })}`;
}

type StateFilterProps = {
  /** The entries loaded so far. */
  entries: readonly TimeEntry[];
  hasMore: boolean;
  status: Status | undefined;
  onChange: (status: Status | undefined) => void;
  /** Whether no entry has the chosen status. */
  isEmpty: boolean;
};

/** Filters the entries by status; hidden while all entries are loaded and have the same one. */
export function StateFilter({ entries, hasMore, status, onChange, isEmpty }: StateFilterProps) {
  const { t } = useTranslation();
  const [isExplained, setIsExplained] = useState(false);
  const states = new Set(entries.map(({ verification }) => verification?.status));
  if (states.size < 2 && !hasMore && status === undefined) return null;
  return (
    <div className="flex flex-col gap-2 print:hidden">
      <div className="flex items-start gap-2">
        <FilterPills
          label={t('time-entries:stateFilter')}
          choices={[
            { value: undefined, text: t('time-entries:allStates') },
            ...STATUSES.map((one) => ({ value: one, text: t(STATUS_LABELS[one]) })),
          ]}
          value={status}
          onChange={onChange}
        />
        <IconButton
          label={t('time-entries:stateMeaning')}
          icon={<Info aria-hidden="true" className="size-5" />}
          isExpanded={isExplained}
          onPress={() => setIsExplained(!isExplained)}
        />
      </div>
      {isExplained && <p className="text-sm text-soft">{t('time-entries:stateHelp')}</p>}
      {isEmpty && status !== undefined && (
        <p role="status" className="text-soft">
          {t('time-entries:noneInState')}
        </p>
      )}
    </div>
  );
}

type OwnStateProps = {
  entry: TimeEntry;
  /** The signed-in user, who may ask to reopen their own entry. */
  user: Pick<User, 'id'>;
  timeZone: string;
  /** The status of the request to an external verifier. */
  asked?: ReactNode;
};

/** An entry's verification: by whom and when it was verified, or why not, and how to ask to reopen it. */
export function OwnVerificationState({ entry, user, timeZone, asked }: OwnStateProps) {
  const text = useTranslation();
  const { t, language } = text;
  const [isAsking, setIsAsking] = useState(false);
  const { verification } = entry;
  if (verification === null) return null;
  const school = entry.school.name;
  const isLocked = entry.user.id === user.id && verification.status !== 'waiting';
  return (
    <div className="flex flex-col gap-1 pr-3 pb-2 pl-6.5 text-dense">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <VerificationStatusBadge entry={entry} />
        <span className="min-w-0 wrap-anywhere text-soft">
          {describeVerification(entry, { verification, timeZone }, text)}
        </span>
      </p>
      {asked}
      {isLocked && verification.reopenRequested && (
        <p className="wrap-anywhere text-soft">{t('time-entries:reopenIsAsked', { school })}</p>
      )}
      {isLocked && !verification.reopenRequested && (
        <div className="flex flex-wrap items-center justify-between gap-x-3">
          <p className="min-w-0 grow basis-60 wrap-anywhere text-soft">
            {t(verification.status === 'verified' ? 'time-entries:locked' : 'time-entries:lockedDeclined', {
              school,
            })}
          </p>
          <div className="-ml-3">
            <Button
              kind="plain"
              icon={<LockKeyholeOpen aria-hidden="true" className="size-5" />}
              label={t('time-entries:askReopenOf', {
                activity: entry.activity.name,
                hours: t('time-entries:shortHours', { hours: formatHours(entry.hours, language) }),
                date: formatDayShort(entry.entryDate, language),
              })}
              onPress={() => setIsAsking(true)}
            >
              {t('time-entries:askReopen')}
            </Button>
          </div>
        </div>
      )}
      <Dialog title={t('time-entries:askReopenTitle')} isOpen={isAsking} onClose={() => setIsAsking(false)}>
        {isAsking && <ReopenForm entry={entry} onClose={() => setIsAsking(false)} />}
      </Dialog>
    </div>
  );
}

function ReopenForm({ entry, onClose }: { entry: TimeEntry; onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const form = useForm({
    schema: requestReopening.parts.body,
    initial: { note: '' },
    draft: `reopen ${entry.id}`,
    send: async (body) => {
      const { message } = await call(requestReopening, { params: { id: entry.id }, body });
      void client.invalidateQueries({ queryKey: ['time-entries'] });
      notify.success(message);
      onClose();
    },
  });
  return (
    <DialogForm form={form} send={{ text: t('time-entries:sendRequest') }} onCancel={onClose}>
      <EntryFacts entry={entry} />
      <TextArea
        {...form.field('note')}
        label={t('time-entries:reopenNote')}
        hint={t('time-entries:reopenNoteHint', { school: entry.school.name })}
        max={LIMITS.notes}
        rows={3}
        isRequired
      />
    </DialogForm>
  );
}

// Describes who verified the hours and when, how many count if not all do, or why none do.
function describeVerification(
  { hours }: TimeEntry,
  { verification, timeZone }: { verification: Verification; timeZone: string },
  { t, language }: Text,
): string {
  const { status, by, at, note } = verification;
  if (status === 'waiting') return '';
  if (status === 'declined') return note ?? '';
  const who =
    by === null || at === null
      ? t('time-entries:countsAtOnce')
      : t('time-entries:verifiedByOn', { by, date: formatDay(dayIn(timeZone, at), language) });
  if (verification.hours === hours) return who;
  const counted = formatHours(verification.hours, language);
  return `${who}. ${t('time-entries:countedOf', { counted, hours: formatHours(hours, language) })}`;
}
