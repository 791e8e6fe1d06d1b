import { useState } from 'react';
import { formatMoment } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';
import { inWords } from '#web/i18n/count-text.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { HistoryDialog, HistoryList } from '#web/ui/admin/history-list.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { notify } from '#web/ui/toasts.ts';
import { IMPORT, type KeptByUndo, messages, type UserImport } from '../contract.ts';
import { useImports, useUndoImport } from './admin-api.ts';

/** Recent imports, each with an Undo button. */
export function PastImports({ zone }: { zone: string }) {
  const text = useTranslation();
  const { t, language } = text;
  const undoing = useUndoImport();
  const [chosen, setChosen] = useState<UserImport>();
  const [kept, setKept] = useState<{ count: number; people: readonly KeptByUndo[] }>();
  const when = (of: UserImport) => formatMoment(of.importedAt, language, zone);

  async function undo() {
    if (chosen === undefined) return;
    const reply = await undoing.mutateAsync(chosen.id);
    setChosen(undefined);
    notify.success(reply.message);
    // The button that opened the dialog is gone.
    if (reply.keptCount > 0) setKept({ count: reply.keptCount, people: reply.kept });
    else setTimeout(listTitle.focus);
  }

  function rowOf(of: UserImport) {
    const counted = [
      { count: of.people, message: messages.countedPeople },
      { count: of.memberships, message: messages.countedMemberships },
    ];
    return {
      when: when(of),
      undone:
        of.undoneAt === null
          ? undefined
          : t('people:undoneOn', { when: formatMoment(of.undoneAt, language, zone) }),
      facts: [
        inWords(counted, text),
        ...(of.importedBy === null ? [] : [t('users:inviteBy', { name: fullName(of.importedBy) })]),
      ],
      undoLabel: t('people:undoOf', { when: when(of) }),
    };
  }

  return (
    <HistoryList
      title={t('people:past', { days: IMPORT.undoDays })}
      list={useImports()}
      failedToLoad={messages.failedToLoad}
      none={t('people:pastNone')}
      rowOf={rowOf}
      undoText={t('people:undo')}
      onUndo={setChosen}
    >
      <ConfirmDelete
        title={t('people:undoTitle')}
        question={chosen && t('people:undoQuestion', { when: when(chosen) })}
        confirmText={t('people:undo')}
        onConfirm={undo}
        onClose={() => setChosen(undefined)}
      />
      <HistoryDialog
        title={t('people:keptTitle', { count: kept?.count ?? 0 })}
        lines={kept?.people.map(({ user, reason }) => t('people:kept', { name: fullName(user), reason }))}
        onClose={() => setKept(undefined)}
      />
    </HistoryList>
  );
}
