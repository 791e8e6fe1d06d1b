import { useState } from 'react';
import type { AdminUsersProps } from '#features/users/web/admin-users-props.ts';
import { dayIn, formatDay } from '#shared/calendar-date.ts';
import { fullName } from '#shared/person-name.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { EmptyList, ListPage, NothingFound } from '#web/ui/admin/list-page.tsx';
import { QueueList, QueueRow } from '#web/ui/admin/queue-list.tsx';
import { useSearch } from '#web/ui/admin/use-list-search.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { notify } from '#web/ui/toasts.ts';
import { messages as adminMessages, DeletionRejection, type DeletionRequest } from '../admin-contract.ts';
import { LIMITS, messages } from '../contract.ts';
import { useDeclineDeletion, useDeletionRequests } from './admin-api.ts';
import { DeleteAccountDialog } from './admin-delete-account-dialog.tsx';

type OpenDialog = Readonly<{ what: 'erase' | 'keep'; of: DeletionRequest }>;

/** Deletion requests, which can be carried out after a clear warning or declined with a reason. */
export function DeletionRequests({ viewer, district }: AdminUsersProps) {
  const { t, say, language } = useTranslation();
  const search = useSearch();
  const list = useDeletionRequests(search.searched);
  const [openDialog, setOpenDialog] = useState<OpenDialog>();
  const requests = list.data?.erasureRequests;
  const close = () => setOpenDialog(undefined);

  function done(message: string) {
    close();
    notify.success(message);
    // The row that opened the dialog is gone.
    setTimeout(listTitle.focus);
  }

  return (
    <>
      <ListPage
        title={t('privacy:sectionErasures')}
        total={list.data && t('privacy:erasuresTotal', { count: list.data.total })}
        search={{ label: t('privacy:searchErasures'), value: search.typed, onChange: search.onChange }}
        loading={list}
        failure={say(adminMessages.failedToLoadErasures)}
        empty={
          requests?.length !== 0 ? undefined : search.searched === '' ? (
            <EmptyList text={t('privacy:noErasures')} />
          ) : (
            <NothingFound search={search.searched} onClear={() => search.onChange('')} />
          )
        }
      >
        {requests && (
          <QueueList label={t('privacy:sectionErasures')}>
            {requests.map((of) => (
              <QueueRow
                key={of.user.id}
                title={fullName(of.user)}
                facts={[
                  of.user.email,
                  t('users:since', { date: formatDay(dayIn(district.timeZone, of.requestedAt), language) }),
                  ...(of.isHeld ? [t('privacy:erasureHeld')] : []),
                  ...(of.user.id === viewer.id ? [say(messages.cannotEraseSelf)] : []),
                ]}
                quote={of.reason}
              >
                {of.user.id !== viewer.id && !of.isHeld && (
                  <Button
                    label={t('privacy:eraseWhom', { name: fullName(of.user) })}
                    onPress={() => setOpenDialog({ what: 'erase', of })}
                  >
                    {t('privacy:erase')}
                  </Button>
                )}
                <Button
                  kind="plain"
                  label={t('privacy:keepWhom', { name: fullName(of.user) })}
                  onPress={() => setOpenDialog({ what: 'keep', of })}
                >
                  {t('privacy:keepPerson')}
                </Button>
              </QueueRow>
            ))}
          </QueueList>
        )}
      </ListPage>
      <DeleteAccountDialog
        person={openDialog?.what === 'erase' ? openDialog.of.user : undefined}
        onDone={done}
        onClose={close}
      />
      <Dialog title={t('privacy:keepTitle')} isOpen={openDialog?.what === 'keep'} onClose={close}>
        {openDialog?.what === 'keep' && <DeclineForm of={openDialog.of} onDone={done} onClose={close} />}
      </Dialog>
    </>
  );
}

type DeclineFormProps = { of: DeletionRequest; onDone: (message: string) => void; onClose: () => void };

function DeclineForm({ of, onDone, onClose }: DeclineFormProps) {
  const { t } = useTranslation();
  const declining = useDeclineDeletion();
  const form = useForm({
    schema: DeletionRejection,
    initial: { reason: '' },
    send: async ({ reason = null }) =>
      onDone((await declining.mutateAsync({ id: of.user.id, reason })).message),
  });
  return (
    <DialogForm
      form={form}
      send={{ text: t('privacy:keepSend'), busyText: t('users:sending') }}
      onCancel={onClose}
    >
      <p className="wrap-anywhere">{t('privacy:keepHelp', { name: fullName(of.user) })}</p>
      <TextArea {...form.field('reason')} label={t('privacy:keepReason')} max={LIMITS.reason} />
    </DialogForm>
  );
}
