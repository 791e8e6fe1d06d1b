import { useState } from 'react';
import { formatDay, formatMoment } from '#shared/calendar-date.ts';
import { formatHours } from '#shared/hours.ts';
import type { Id } from '#shared/id.ts';
import { fullName } from '#shared/person-name.ts';
import { CallError, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { HistoryDialog, HistoryList } from '#web/ui/admin/history-list.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress-bar.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { IMPORT, type KeptEntry, messages, type TimeEntryImport } from '../contract.ts';
import { isRunning, useImports, useOneImport, useUndoImport } from './admin-api.ts';

/** The state and progress of the import that was just started. */
export function ImportDone({ started }: { started: TimeEntryImport }) {
  const { t, say, language } = useTranslation();
  const now = useOneImport(started).data?.timeEntryImport ?? started;
  return (
    <Notice>
      <div role="status" className="flex flex-col gap-2">
        {isRunning(now) ? (
          <>
            <p>{progressText(now, t)}</p>
            <Progress label={progressText(now, t)} share={shareOf(now)} />
            <p className="text-soft">{t('hours:goesOn')}</p>
          </>
        ) : now.state === 'undone' ? (
          <p>{say(messages.undone(now.undone))}</p>
        ) : (
          <p>{say(messages.imported(now.made, formatHours(now.hours, language)))}</p>
        )}
        {now.state === 'stopped' && <p>{t('hours:stopped')}</p>}
        {now.leftOut > 0 && <p>{t('hours:wereLeftOut', { count: now.leftOut })}</p>}
      </div>
    </Notice>
  );
}

/** The progress of an import or undo, from 0 to 1. */
export function shareOf({ state, planned, made, leftOut, undone }: TimeEntryImport): number {
  return state === 'undoing' ? undone / Math.max(made, 1) : (made + leftOut) / Math.max(planned, 1);
}

/** The progress as text. */
export function progressText(now: TimeEntryImport, t: ReturnType<typeof useTranslation>['t']): string {
  return now.state === 'undoing'
    ? t('hours:undoingSoFar', { done: now.undone, total: now.made })
    : t('hours:importedSoFar', { done: now.made + now.leftOut, total: now.planned });
}

type PastProps = { schoolId: Id | undefined; timeZone: string };

/** The stored imports, each with its progress and an Undo button. */
export function PastHoursImports({ schoolId, timeZone }: PastProps) {
  const { t, say, language } = useTranslation();
  const [chosen, setChosen] = useState<TimeEntryImport>();
  const [kept, setKept] = useState<{ count: number; entries: readonly KeptEntry[] }>();
  const when = (of: TimeEntryImport) => formatMoment(of.importedAt, language, timeZone);

  function factsOf(of: TimeEntryImport) {
    const made = say(messages.imported(of.made, formatHours(of.hours, language)));
    return [
      isRunning(of) ? progressText(of, t) : made,
      of.school.name,
      ...(of.importedBy === null ? [] : [t('hours:by', { name: fullName(of.importedBy) })]),
      ...(of.state === 'stopped' ? [t('hours:stopped')] : []),
      ...(of.leftOut > 0 ? [t('hours:wereLeftOut', { count: of.leftOut })] : []),
    ];
  }

  return (
    <HistoryList
      title={t('hours:past', { days: IMPORT.undoDays })}
      list={useImports(schoolId)}
      failedToLoad={messages.failedToLoad}
      none={t('hours:pastNone')}
      rowOf={(of) => ({
        when: when(of),
        undone:
          of.undoneAt === null || isRunning(of) ? undefined : t('hours:wasUndone', { count: of.undone }),
        facts: factsOf(of),
        undoLabel: t('hours:undoOf', { when: when(of) }),
        progress: isRunning(of) && <Progress label={progressText(of, t)} share={shareOf(of)} />,
      })}
      undoText={t('hours:undo')}
      onUndo={setChosen}
    >
      <UndoDialog
        chosen={chosen}
        when={chosen === undefined ? '' : when(chosen)}
        onClose={() => setChosen(undefined)}
        onKept={setKept}
      />
      <HistoryDialog
        title={t('hours:keptTitle', { count: kept?.count ?? 0 })}
        lines={kept?.entries.map((entry) =>
          t('hours:keptEntry', {
            name: fullName(entry.user),
            activity: entry.activity,
            day: formatDay(entry.entryDate, language),
            hours: formatHours(entry.hours, language),
            reason: entry.reason,
          }),
        )}
        onClose={() => setKept(undefined)}
      />
    </HistoryList>
  );
}

type UndoDialogProps = {
  chosen: TimeEntryImport | undefined;
  when: string;
  onClose: () => void;
  onKept: (kept: { count: number; entries: readonly KeptEntry[] }) => void;
};

function UndoDialog({ chosen, when, onClose, onKept }: UndoDialogProps) {
  const { t } = useTranslation();
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
    if (chosen === undefined || undoing.isPending) return;
    setProblem(undefined);
    try {
      const reply = await undoing.mutateAsync({ id: chosen.id, reason: reason.trim() });
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
    <Dialog title={t('hours:undoTitle')} isOpen={chosen !== undefined} onClose={close}>
      <div className="flex flex-col gap-4">
        <p>{t('hours:undoQuestion', { when })}</p>
        {isReasonAsked && (
          <TextArea
            name="reason"
            label={t('hours:reason')}
            value={reason}
            onChange={setReason}
            max={IMPORT.reason}
            isRequired
          />
        )}
        <FormMessage message={problem} />
        <div className="flex flex-wrap gap-2">
          <Button kind="danger" isBusy={undoing.isPending} onPress={() => void undo()}>
            {t('hours:undo')}
          </Button>
          <Button onPress={close}>{t('web:cancel')}</Button>
        </div>
      </div>
    </Dialog>
  );
}
