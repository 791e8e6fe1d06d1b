import { useState } from 'react';
import { formatMoment } from '#base/calendar-date.ts';
import { fullName } from '#base/person-name.ts';
import { inWords } from '#web/lib/counted.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { KeptDialog, PastList } from '#web/ui/admin/past-list.tsx';
import { IMPORT, type KeptByUndo, messages, type UserImport } from '../contract.ts';
import { useImports, useUndoImport } from './admin-api.ts';

/** Recent imports, each with an Undo button. */
export function PastImports({ zone }: { zone: string }) {
  const text = useText();
  const { t, language } = text;
  const undoing = useUndoImport();
  const [asked, setAsked] = useState<UserImport>();
  const [kept, setKept] = useState<{ count: number; people: readonly KeptByUndo[] }>();
  const when = (of: UserImport) => formatMoment(of.importedAt, language, zone);

  async function undo() {
    if (asked === undefined) return;
    const reply = await undoing.mutateAsync(asked.id);
    setAsked(undefined);
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
          : t('user-imports:undoneOn', { when: formatMoment(of.undoneAt, language, zone) }),
      facts: [
        inWords(counted, text),
        ...(of.importedBy === null ? [] : [t('users:inviteBy', { name: fullName(of.importedBy) })]),
      ],
      undoLabel: t('user-imports:undoOf', { when: when(of) }),
    };
  }

  return (
    <PastList
      title={t('user-imports:past', { days: IMPORT.undoDays })}
      list={useImports()}
      failedToLoad={messages.failedToLoad}
      none={t('user-imports:pastNone')}
      rowOf={rowOf}
      undoText={t('user-imports:undo')}
      onUndo={setAsked}
    >
      <ConfirmDelete
        title={t('user-imports:undoTitle')}
        question={asked && t('user-imports:undoQuestion', { when: when(asked) })}
        confirmText={t('user-imports:undo')}
        onConfirm={undo}
        onClose={() => setAsked(undefined)}
      />
      <KeptDialog
        title={t('user-imports:keptTitle', { count: kept?.count ?? 0 })}
        lines={kept?.people.map(({ user, reason }) =>
          t('user-imports:kept', { name: fullName(user), reason }),
        )}
        onClose={() => setKept(undefined)}
      />
    </PastList>
  );
}
