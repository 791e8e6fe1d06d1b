import { useState } from 'react';
import { formatMoment } from '#base/calendar-date.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { PastList } from '#web/ui/admin/past-list.tsx';
import { type Merge, screenMessages, UNDO_DAYS } from '../contract.ts';
import { usePastMerges, useUndoMerge } from './admin-api.ts';

/** The merges of the last thirty days, each with an Undo button. */
export function PastMerges({ timeZone }: { timeZone: string }) {
  const { t, language } = useText();
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
      when: t('merges:pastRow', names),
      undone:
        undoneAt === null
          ? undefined
          : t('merges:undone', { when: formatMoment(undoneAt, language, timeZone) }),
      facts: [
        formatMoment(mergedAt, language, timeZone),
        ...(mergedBy === null ? [] : [t('merges:by', { name: mergedBy })]),
      ],
      undoLabel: t('merges:undoOf', names),
    };
  }

  return (
    <PastList
      title={t('merges:past', { days: UNDO_DAYS })}
      list={usePastMerges()}
      failedToLoad={screenMessages.failedToLoadPast}
      none={t('merges:pastNone')}
      rowOf={rowOf}
      undoText={t('merges:undo')}
      onUndo={setAsked}
    >
      <ConfirmDelete
        title={t('merges:undoTitle')}
        question={asked && t('merges:undoQuestion', { name: asked.name, into: asked.into.name })}
        confirmText={t('merges:undo')}
        onConfirm={undo}
        onClose={() => setAsked(undefined)}
      />
    </PastList>
  );
}
