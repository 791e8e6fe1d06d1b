import { useState } from 'react';
import { fullName } from '#shared/person-name.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import type { AdminUser } from '../../admin-contract.ts';
import { UserPicker } from '../../web/admin-user-picker.tsx';
import { type MergeProps, MergeQuestion } from './admin-merge-dialog.tsx';

/** In the form of a guest volunteer: picks the same person's account and merges the two. */
export function MergeGuestVolunteer({ user, ...given }: Omit<MergeProps, 'onClose'> & { user: AdminUser }) {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const [picked, setPicked] = useState<AdminUser>();
  function close() {
    setIsOpen(false);
    setPicked(undefined);
  }
  return (
    <div>
      <LinkButton onPress={() => setIsOpen(true)}>{t('merging:mergeAnother')}</LinkButton>
      <Dialog
        title={
          picked === undefined ? t('merging:pickTitle', { name: fullName(user) }) : t('merging:mergeTitle')
        }
        isOpen={isOpen}
        onClose={close}
      >
        {picked === undefined ? (
          <UserPicker onPick={setPicked} without={new Set([user.id])} />
        ) : (
          <div className="flex flex-col gap-3">
            <div>
              <Button onPress={() => setPicked(undefined)}>{t('merging:back')}</Button>
            </div>
            <MergeQuestion pair={[user, picked]} {...given} onClose={close} />
          </div>
        )}
      </Dialog>
    </div>
  );
}
