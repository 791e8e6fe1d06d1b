import { useState } from 'react';
import { formatMoment } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { HistoryList } from '#web/ui/admin/history-list.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { notify } from '#web/ui/toasts.ts';
import { type Merge, screenMessages, UNDO_DAYS } from '../contract.ts';
import { usePastMerges, useUndoMerge } from './admin-api.ts';

/** The merges of the last thirty days, each with an Undo button. */
export function PastMerges({ timeZone }: { timeZone: string }) {
  const { t, language } = useTranslation();
  const undoing = useUndoMerge();
  const [asked, setAsked] = useState<Merge>();

  async function undo() {
    if (asked === undefined) return;
    const { message } = await undoing.mutateAsync(asked.id);
    setAsked(undefined);
    notify.success(message);
    // The button that opened the dialog is gone.
    setTimeout(listTitle.focus);
  }

  function rowOf({ name, into, mergedBy, mergedAt, undoneAt }: Merge) {
    const names = { name, into: into.name };
    return {
      when: t('merging:pastRow', names),
      undone:
        undoneAt === null
          ? undefined
          : t('merging:undone', { when: formatMoment(undoneAt, language, timeZone) }),
      facts: [
        formatMoment(mergedAt, language, timeZone),
        ...(mergedBy === null ? [] : [t('merging:by', { name: mergedBy })]),
      ],
      undoLabel: t('merging:undoOf', names),
    };
  }

  return (
    <HistoryList
      title={t('merging:past', { days: UNDO_DAYS })}
      list={usePastMerges()}
      failedToLoad={screenMessages.failedToLoadPast}
      none={t('merging:pastNone')}
      rowOf={rowOf}
      undoText={t('merging:undo')}
      onUndo={setAsked}
    >
      <ConfirmDelete
        title={t('merging:undoTitle')}
        question={asked && t('merging:undoQuestion', { name: asked.name, into: asked.into.name })}
        confirmText={t('merging:undo')}
        onConfirm={undo}
        onClose={() => setAsked(undefined)}
      />
    </HistoryList>
  );
}
