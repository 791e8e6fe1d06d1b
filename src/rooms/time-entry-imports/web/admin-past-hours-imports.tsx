import { useId, useState } from 'react';
import { formatDay, formatMoment } from '#base/calendar-date.ts';
import { formatHours } from '#base/hours.ts';
import type { Id } from '#base/id.ts';
import { fullName } from '#base/person-name.ts';
import { CallError, failureText, loadingFailure } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { DeskList, DeskRow } from '#web/ui/admin/desk-list.tsx';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { ErrorBox, FormMessage } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { IMPORT, type KeptEntry, messages, type TimeEntryImport } from '../contract.ts';
import { isAtWork, useImports, useUndoImport } from './admin-api.ts';
import { progressText, shareOf } from './admin-import-done.tsx';

type PastProps = { schoolId: Id | undefined; timeZone: string };

// Long because it is a list with its two dialogs.
/** The imports of the last thirty days, each with how far it is and an Undo button. */
export function PastHoursImports({ schoolId, timeZone }: PastProps) {
  const { t, say, language } = useText();
  const id = useId();
  const list = useImports(schoolId);
  const [asked, setAsked] = useState<TimeEntryImport>();
  const [kept, setKept] = useState<{ count: number; entries: readonly KeptEntry[] }>();
  const when = (of: TimeEntryImport) => formatMoment(of.importedAt, language, timeZone);

  function factsOf(of: TimeEntryImport) {
    const made = say(messages.imported(of.made, formatHours(of.hours, language)));
    return [
      isAtWork(of) ? progressText(of, t) : made,
      of.school.name,
      ...(of.importedBy === null ? [] : [t('time-entry-imports:by', { name: fullName(of.importedBy) })]),
      ...(of.state === 'stopped' ? [t('time-entry-imports:stopped')] : []),
      ...(of.leftOut > 0 ? [t('time-entry-imports:wereLeftOut', { count: of.leftOut })] : []),
    ];
  }

  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-xl font-semibold">
        {t('time-entry-imports:past', { days: IMPORT.undoDays })}
      </h3>
      {list.isError && !list.isFetchNextPageError && (
        <ErrorBox
          {...loadingFailure(list.error, messages.failedToLoad)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {list.data === undefined && !list.isError && <SkeletonRows rows={2} />}
      {list.data?.length === 0 && <p className="text-soft">{t('time-entry-imports:pastNone')}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <DeskList label={t('time-entry-imports:past', { days: IMPORT.undoDays })}>
          {list.data.map((of) => (
            <DeskRow
              key={of.id}
              title={
                <>
                  {when(of)}
                  {of.undoneAt !== null && !isAtWork(of) && (
                    <Badge>{t('time-entry-imports:wasUndone', { count: of.undone })}</Badge>
                  )}
                </>
              }
              facts={factsOf(of)}
            >
              {isAtWork(of) && <Progress label={progressText(of, t)} share={shareOf(of)} />}
              {of.canUndo && (
                <Button
                  label={t('time-entry-imports:undoOf', { when: when(of) })}
                  onPress={() => setAsked(of)}
                >
                  {t('time-entry-imports:undo')}
                </Button>
              )}
            </DeskRow>
          ))}
        </DeskList>
      )}
      <ListEnd
        hasMore={list.hasNextPage}
        isLoading={list.isFetchingNextPage}
        failure={list.isFetchNextPageError ? say(messages.failedToLoad) : undefined}
        onMore={() => void list.fetchNextPage()}
      />
      <UndoDialog
        asked={asked}
        when={asked === undefined ? '' : when(asked)}
        onClose={() => setAsked(undefined)}
        onKept={setKept}
      />
      <Dialog
        title={t('time-entry-imports:keptTitle', { count: kept?.count ?? 0 })}
        isOpen={kept !== undefined}
        onClose={() => {
          setKept(undefined);
          setTimeout(listTitle.focus);
        }}
      >
        <ul className="flex flex-col gap-2">
          {kept?.entries.map((entry) => (
            <li
              key={`${entry.user.id} ${entry.activity} ${entry.entryDate} ${entry.hours}`}
              className="wrap-anywhere"
            >
              {t('time-entry-imports:keptEntry', {
                name: fullName(entry.user),
                activity: entry.activity,
                day: formatDay(entry.entryDate, language),
                hours: formatHours(entry.hours, language),
                reason: entry.reason,
              })}
            </li>
          ))}
        </ul>
      </Dialog>
    </section>
  );
}

type UndoDialogProps = {
  asked: TimeEntryImport | undefined;
  when: string;
  onClose: () => void;
  onKept: (kept: { count: number; entries: readonly KeptEntry[] }) => void;
};

function UndoDialog({ asked, when, onClose, onKept }: UndoDialogProps) {
  const { t } = useText();
  const undoing = useUndoImport();
  const [reason, setReason] = useState('');
  const [isReasonAsked, setIsReasonAsked] = useState(false);
  const [problem, setProblem] = useState<string>();

  function close() {
    setReason('');
    setIsReasonAsked(false);
    setProblem(undefined);
    onClose();
  }

  async function undo() {
    if (asked === undefined || undoing.isPending) return;
    setProblem(undefined);
    try {
      const reply = await undoing.mutateAsync({ id: asked.id, reason: reason.trim() });
      close();
      notify.success(reply.message);
      if (reply.keptCount > 0) onKept({ count: reply.keptCount, entries: reply.kept });
      else setTimeout(listTitle.focus);
    } catch (error) {
      if (error instanceof CallError && error.fields['reason'] !== undefined) setIsReasonAsked(true);
      setProblem(failureText(error));
    }
  }

  return (
    <Dialog title={t('time-entry-imports:undoTitle')} isOpen={asked !== undefined} onClose={close}>
      <div className="flex flex-col gap-4">
        <p>{t('time-entry-imports:undoQuestion', { when })}</p>
        {isReasonAsked && (
          <TextArea
            name="reason"
            label={t('time-entry-imports:reason')}
            value={reason}
            onChange={setReason}
            max={IMPORT.reason}
            isRequired
          />
        )}
        <FormMessage message={problem} />
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" isBusy={undoing.isPending} onPress={() => void undo()}>
            {t('time-entry-imports:undo')}
          </Button>
          <Button onPress={close}>{t('web:cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
