import { useState } from 'react';
import { CallError } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { messages, type TimeEntry } from '../../contract.ts';
import { ReasonToDelete } from '../../web/closed-period-reason.tsx';
import { EntryFacts } from '../../web/entry-row.tsx';

type DeleteEntryProps = {
  /** Undefined while the dialog is closed. */
  entry: TimeEntry | undefined;
  /** Whether the entry's day is known to be closed. */
  isClosed: boolean;
  /** Deletes the entry; an error it throws is shown in the dialog. */
  onDelete: (entry: TimeEntry, reason: string | null) => Promise<void>;
  onClose: () => void;
};

/** Asks for confirmation before deleting an entry, and for a reason when its day is closed. */
export function DeleteEntry({ entry, isClosed, onDelete, onClose }: DeleteEntryProps) {
  const { t, say } = useTranslation();
  const [reason, setReason] = useState('');
  const [isReasonAsked, setIsReasonAsked] = useState(false);
  function close() {
    setReason('');
    setIsReasonAsked(false);
    onClose();
  }
  async function confirm() {
    if (entry === undefined) return;
    try {
      await onDelete(entry, reason.trim() === '' ? null : reason);
      close();
    } catch (error) {
      if (error instanceof CallError && error.fields['reason'] !== undefined) setIsReasonAsked(true);
      throw error;
    }
  }
  return (
    <ConfirmDelete
      title={t('time-entries:deleteTitle')}
      question={entry && say(messages.confirmDelete)}
      about={entry && <EntryFacts entry={entry} />}
      more={
        (isClosed || isReasonAsked) && (
          <ReasonToDelete
            field={{ name: 'reason', value: reason, onChange: setReason }}
            isFocused={isReasonAsked}
          />
        )
      }
      onConfirm={confirm}
      onClose={close}
    />
  );
}
