import { useId, useState } from 'react';
import { formatMoment } from '#base/calendar-date.ts';
import { fullName } from '#base/person-name.ts';
import { loadingFailure } from '#web/lib/call.ts';
import { inWords } from '#web/lib/counted.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { DeskList, DeskRow } from '#web/ui/admin/desk-list.tsx';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { ListEnd } from '#web/ui/list-end.tsx';
import { ErrorBox } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { IMPORT, type KeptByUndo, messages, type UserImport } from '../contract.ts';
import { useImports, useUndoImport } from './admin-api.ts';

/** Recent imports, each with an Undo button. */
export function PastImports({ zone }: { zone: string }) {
  const text = useText();
  const { t, say, language } = text;
  const id = useId();
  const list = useImports();
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

  return (
    <section aria-labelledby={id} className="flex flex-col gap-3">
      <h3 id={id} className="text-xl font-semibold">
        {t('user-imports:past', { days: IMPORT.undoDays })}
      </h3>
      {list.isError && !list.isFetchNextPageError && (
        <ErrorBox
          {...loadingFailure(list.error, messages.failedToLoad)}
          onRetry={() => void list.refetch()}
          isRetrying={list.isFetching}
        />
      )}
      {list.data === undefined && !list.isError && <SkeletonRows rows={2} />}
      {list.data?.length === 0 && <p className="text-soft">{t('user-imports:pastNone')}</p>}
      {list.data !== undefined && list.data.length > 0 && (
        <DeskList label={t('user-imports:past', { days: IMPORT.undoDays })}>
          {list.data.map((of) => (
            <DeskRow
              key={of.id}
              title={
                <>
                  {when(of)}
                  {of.undoneAt !== null && (
                    <Badge>
                      {t('user-imports:undoneOn', { when: formatMoment(of.undoneAt, language, zone) })}
                    </Badge>
                  )}
                </>
              }
              facts={[
                inWords(
                  [
                    { count: of.people, message: messages.countedPeople },
                    { count: of.memberships, message: messages.countedMemberships },
                  ],
                  text,
                ),
                ...(of.importedBy === null
                  ? []
                  : [
                      t('users:inviteBy', {
                        name: fullName(of.importedBy),
                      }),
                    ]),
              ]}
            >
              {of.canUndo && (
                <Button label={t('user-imports:undoOf', { when: when(of) })} onPress={() => setAsked(of)}>
                  {t('user-imports:undo')}
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
      <ConfirmDelete
        title={t('user-imports:undoTitle')}
        question={asked && t('user-imports:undoQuestion', { when: when(asked) })}
        confirmText={t('user-imports:undo')}
        onConfirm={undo}
        onClose={() => setAsked(undefined)}
      />
      <Dialog
        title={t('user-imports:keptTitle', { count: kept?.count ?? 0 })}
        isOpen={kept !== undefined}
        onClose={() => {
          setKept(undefined);
          setTimeout(listTitle.focus);
        }}
      >
        <ul className="flex flex-col gap-2">
          {kept?.people.map(({ user, reason }) => (
            <li key={`${user.id} ${reason}`} className="wrap-anywhere">
              {t('user-imports:kept', { name: fullName(user), reason })}
            </li>
          ))}
        </ul>
      </Dialog>
    </section>
  );
}
