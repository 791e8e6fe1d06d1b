import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { formatMoment } from '#shared/calendar-date.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { HistoryList } from '#web/ui/admin/history-list.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { Button } from '#web/ui/button.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { notify } from '#web/ui/toasts.ts';
import { type Batch, BULK, type BulkDone, bulkMessages, type KeptActivity } from '../contract.ts';
import { useBatches, useUndoBulk } from './admin-api.ts';

/** The notice after a bulk add, with an Undo button. After an undo it lists the activities that could not be deleted. */
export function BulkAddedNotice({ done, onClose }: { done: BulkDone; onClose: () => void }) {
  const { t } = useTranslation();
  const undoing = useUndoBulk();
  const [undone, setUndone] = useState<{ message: string; kept: readonly KeptActivity[] }>();
  const close = () => {
    onClose();
    setTimeout(listTitle.focus);
  };

  async function undo() {
    try {
      setUndone(await undoing.mutateAsync(done.batch.id));
    } catch (error) {
      notify.failure(failureText(error));
    }
  }

  return (
    <div
      ref={focusHeading}
      tabIndex={-1}
      role="status"
      className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-brand bg-wash py-2 pr-2 pl-4 outline-none"
    >
      <div className="min-w-0 grow basis-60 wrap-anywhere">
        <p className="font-medium">
          {undone?.message ?? t('activities:severalDone', { count: done.created, school: done.batch.school })}
        </p>
        {undone === undefined && done.batch.categories > 0 && (
          <p className="text-soft">
            {t('activities:severalDoneCategories', { count: done.batch.categories })}
          </p>
        )}
        {undone === undefined && done.leftOut > 0 && (
          <p className="text-soft">{t('activities:severalDoneLeftOut', { count: done.leftOut })}</p>
        )}
        <NotDeletedList kept={undone?.kept ?? []} />
      </div>
      {undone === undefined && (
        <Button
          icon={<Undo2 aria-hidden="true" className="size-5" />}
          isBusy={undoing.isPending}
          onPress={() => void undo()}
        >
          {t('activities:severalUndo')}
        </Button>
      )}
      <Button kind="plain" onPress={close}>
        {t('web:close')}
      </Button>
    </div>
  );
}

/** A school's batches of the last 30 days, each with an Undo button. */
export function PastBatches({ schoolId, zone }: { schoolId: number; zone: string }) {
  const { t, language } = useTranslation();
  const list = useBatches(schoolId);
  const undoing = useUndoBulk();
  const [batchToUndo, setBatchToUndo] = useState<Batch>();
  const [kept, setKept] = useState<readonly KeptActivity[]>([]);
  const when = (of: Batch) => formatMoment(of.madeAt, language, zone);

  async function undo() {
    if (batchToUndo === undefined) return;
    const reply = await undoing.mutateAsync(batchToUndo.id);
    setBatchToUndo(undefined);
    setKept(reply.kept);
    notify.success(reply.message);
    setTimeout(listTitle.focus);
  }

  if (list.data?.length === 0) return null;
  return (
    <HistoryList
      title={t('activities:severalPast', { days: BULK.undoDays })}
      list={list}
      failedToLoad={bulkMessages.failedToLoad}
      rowOf={(of) => ({
        when: when(of),
        undone:
          of.undoneAt === null
            ? undefined
            : t('activities:severalUndoneOn', { when: formatMoment(of.undoneAt, language, zone) }),
        facts: [t('activities:total', { count: of.activities })],
        undoLabel: t('activities:severalUndoOf', { when: when(of) }),
      })}
      undoText={t('activities:severalUndo')}
      onUndo={setBatchToUndo}
    >
      <NotDeletedList kept={kept} />
      <ConfirmDelete
        title={t('activities:severalUndoTitle')}
        question={
          batchToUndo &&
          t('activities:severalUndoQuestion', { count: batchToUndo.activities, when: when(batchToUndo) })
        }
        confirmText={t('activities:severalUndo')}
        onConfirm={undo}
        onClose={() => setBatchToUndo(undefined)}
      />
    </HistoryList>
  );
}

function NotDeletedList({ kept }: { kept: readonly KeptActivity[] }) {
  const { t } = useTranslation();
  if (kept.length === 0) return null;
  return (
    <div>
      <p>{t('activities:severalKept', { count: kept.length })}</p>
      <ul className="list-disc pl-5">
        {kept.map(({ id, name, reason }) => (
          <li key={id}>{t('activities:severalKeptOne', { name, reason })}</li>
        ))}
      </ul>
    </div>
  );
}
