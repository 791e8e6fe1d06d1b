import { useState } from 'react';
import * as z from 'zod/mini';
import {
  messages as entryMessages,
  HOURS,
  hoursSchema,
  LIMITS,
  type TimeEntry,
} from '#features/time-entries/contract.ts';
import { EntryFacts } from '#features/time-entries/web/entry-row.tsx';
import { formatHours, type Hours } from '#shared/hours.ts';
import { fullName } from '#shared/person-name.ts';
import { requiredText } from '#shared/text-normalization.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { NumberField } from '#web/ui/number-field.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { messages } from '../contract.ts';
import type { QueueTotals } from './admin-api.ts';

const AdjustedHours = z.object({ hours: hoursSchema(entryMessages.fillRequired) });
const DeclineReason = z.object({ reason: requiredText(LIMITS.notes, messages.reasonNeeded) });

type AdjustDialogProps = {
  /** Undefined while the dialog is closed. */
  entry: TimeEntry | undefined;
  /** Verifies the entry with other hours; an error it throws is shown in the dialog. */
  onAdjust: (entry: TimeEntry, hours: number) => Promise<void>;
  onClose: () => void;
};

/** Verifies an entry with other hours than were logged. */
export function AdjustDialog({ entry, onAdjust, onClose }: AdjustDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('verification:adjustTitle')} isOpen={entry !== undefined} onClose={onClose}>
      {entry !== undefined && <AdjustForm entry={entry} onAdjust={onAdjust} onClose={onClose} />}
    </Dialog>
  );
}

function AdjustForm({ entry, onAdjust, onClose }: AdjustDialogProps & { entry: TimeEntry }) {
  const { t, language } = useTranslation();
  const initial: { hours: number | undefined } = { hours: entry.hours };
  const form = useForm({
    schema: AdjustedHours,
    initial,
    send: ({ hours }) => onAdjust(entry, hours),
  });
  return (
    <DialogForm
      form={form}
      send={{
        text: t('verification:adjustSend', { hours: formatHours(form.values.hours ?? 0, language) }),
      }}
      onCancel={onClose}
    >
      <EntryFacts entry={entry} />
      <NumberField
        {...form.field('hours')}
        label={t('verification:adjustField')}
        hint={t('verification:adjustHint', {
          person: fullName(entry.user),
          hours: formatHours(entry.hours, language),
        })}
        {...HOURS}
        isHours
        isRequired
      />
    </DialogForm>
  );
}

type DeclineDialogProps = {
  /** Undefined while the dialog is closed. */
  entries: readonly TimeEntry[] | undefined;
  /** Declines the entries; an error it throws is shown in the dialog. */
  onDecline: (entries: readonly TimeEntry[], reason: string) => Promise<void>;
  onClose: () => void;
};

/** Declines entries with a reason that the volunteers see. */
export function DeclineDialog({ entries, onDecline, onClose }: DeclineDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('verification:declineTitle', { count: entries?.length ?? 0 })}
      isOpen={entries !== undefined}
      onClose={onClose}
    >
      {entries !== undefined && <DeclineForm entries={entries} onDecline={onDecline} onClose={onClose} />}
    </Dialog>
  );
}

function DeclineForm({
  entries,
  onDecline,
  onClose,
}: DeclineDialogProps & { entries: readonly TimeEntry[] }) {
  const { t } = useTranslation();
  const form = useForm({
    schema: DeclineReason,
    initial: { reason: '' },
    send: ({ reason }) => onDecline(entries, reason),
  });
  const [only, ...others] = entries;
  const people = new Set(entries.map(({ user }) => user.id)).size;
  return (
    <DialogForm form={form} send={{ text: t('verification:decline'), isDanger: true }} onCancel={onClose}>
      {only !== undefined && others.length === 0 && <EntryFacts entry={only} />}
      <TextArea
        {...form.field('reason')}
        label={t('verification:declineReason')}
        hint={t('verification:declineReasonHint', { count: people })}
        max={LIMITS.notes}
        rows={3}
        isAlwaysCounted
        isRequired
      />
    </DialogForm>
  );
}

type VerifyAllDialogProps = {
  isOpen: boolean;
  /** The number of entries that the filters match, and their hours. */
  total: number;
  totalHours: Hours;
  /** The number of marked entries; undefined when not all entries are loaded. */
  marked: number | undefined;
  onAll: (seen: QueueTotals) => Promise<void>;
  onUnmarked: () => Promise<void>;
  onClose: () => void;
};

/**
 * Asks for confirmation before verifying everything that the filters match; asks again when that number has changed.
 */
export function VerifyAllDialog({ isOpen, total, onClose, ...rest }: VerifyAllDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('verification:verifyAllTitle', { count: total })}
      isOpen={isOpen}
      onClose={onClose}
      isAlert
    >
      {isOpen && <Question total={total} onClose={onClose} {...rest} />}
    </Dialog>
  );
}

function Question({
  total,
  totalHours,
  marked,
  onAll,
  onUnmarked,
  onClose,
}: Omit<VerifyAllDialogProps, 'isOpen'>) {
  const { t, language } = useTranslation();
  const [busy, setBusy] = useState<'all' | 'unmarked'>();
  const [failure, setFailure] = useState<string>();
  const [hasChanged, setHasChanged] = useState(false);
  const hours = formatHours(totalHours, language);
  const unmarked = marked === undefined || marked === 0 || marked === total ? 0 : total - marked;

  async function go(what: 'all' | 'unmarked') {
    setBusy(what);
    setFailure(undefined);
    try {
      await (what === 'all' ? onAll({ total, totalHours }) : onUnmarked());
    } catch (error) {
      setBusy(undefined);
      const isAnother = error instanceof CallError && error.status === 409;
      setHasChanged(isAnother);
      if (!isAnother) setFailure(failureText(error));
    }
  }

  return (
    <>
      <div className="mb-4 flex flex-col gap-2">
        <p>{t('verification:verifyAllSum', { hours })}</p>
        {marked !== undefined && marked > 0 && (
          <p className="text-notice">{t('verification:verifyAllMarked', { count: marked })}</p>
        )}
      </div>
      <FormMessage
        message={
          failure ?? (hasChanged ? t('verification:verifyAllChanged', { count: total, hours }) : undefined)
        }
      />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button
          kind={unmarked > 0 ? 'quiet' : 'primary'}
          onPress={() => void go('all')}
          isBusy={busy !== undefined}
        >
          {t('verification:verifyAllNow', { count: total })}
        </Button>
        {unmarked > 0 && (
          <Button kind="primary" onPress={() => void go('unmarked')} isBusy={busy !== undefined}>
            {t('verification:verifyUnmarked', { count: unmarked })}
          </Button>
        )}
      </DialogActions>
    </>
  );
}
