import { useState } from 'react';
import { formatDay, formatMoment } from '#base/calendar-date.ts';
import { formatHours } from '#base/hours.ts';
import type { Id } from '#base/id.ts';
import { fullName } from '#base/person-name.ts';
import { CallError, failureText } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { KeptDialog, PastList } from '#web/ui/admin/past-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { Progress } from '#web/ui/progress.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { IMPORT, type KeptEntry, messages, type TimeEntryImport } from '../contract.ts';
import { isAtWork, useImports, useUndoImport } from './admin-api.ts';
import { progressText, shareOf } from './admin-import-done.tsx';

type PastProps = { schoolId: Id | undefined; timeZone: string };

/** The imports of the last thirty days, each with how far it is and an Undo button. */
export function PastHoursImports({ schoolId, timeZone }: PastProps) {
  const { t, say, language } = useText();
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
    <PastList
      title={t('time-entry-imports:past', { days: IMPORT.undoDays })}
      list={useImports(schoolId)}
      failedToLoad={messages.failedToLoad}
      none={t('time-entry-imports:pastNone')}
      rowOf={(of) => ({
        when: when(of),
        undone:
          of.undoneAt === null || isAtWork(of)
            ? undefined
            : t('time-entry-imports:wasUndone', { count: of.undone }),
        facts: factsOf(of),
        undoLabel: t('time-entry-imports:undoOf', { when: when(of) }),
        progress: isAtWork(of) && <Progress label={progressText(of, t)} share={shareOf(of)} />,
      })}
      undoText={t('time-entry-imports:undo')}
      onUndo={setAsked}
    >
      <UndoDialog
        asked={asked}
        when={asked === undefined ? '' : when(asked)}
        onClose={() => setAsked(undefined)}
        onKept={setKept}
      />
      <KeptDialog
        title={t('time-entry-imports:keptTitle', { count: kept?.count ?? 0 })}
        lines={kept?.entries.map((entry) =>
          t('time-entry-imports:keptEntry', {
            name: fullName(entry.user),
            activity: entry.activity,
            day: formatDay(entry.entryDate, language),
            hours: formatHours(entry.hours, language),
            reason: entry.reason,
          }),
        )}
        onClose={() => setKept(undefined)}
      />
    </PastList>
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
