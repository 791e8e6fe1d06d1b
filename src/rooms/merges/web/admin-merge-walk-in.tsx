import { useState } from 'react';
import { fullName } from '#base/person-name.ts';
import type { AdminUser } from '#rooms/users/admin-contract.ts';
import { UserPicker } from '#rooms/users/web/admin-user-picker.tsx';
import { useText } from '#web/lib/text.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { type MergeProps, MergeQuestion } from './admin-merge-dialog.tsx';

/** In the form of a walk-in: picks the account that is the same person, and merges the two. */
export function MergeWalkIn({ user, ...given }: Omit<MergeProps, 'onClose'> & { user: AdminUser }) {
  const { t } = useText();
  const [isOpen, setIsOpen] = useState(false);
  const [picked, setPicked] = useState<AdminUser>();
  function close() {
    setIsOpen(false);
    setPicked(undefined);
  }
  return (
    <div>
      <LinkButton onPress={() => setIsOpen(true)}>{t('merges:mergeAnother')}</LinkButton>
      <Dialog
        title={
          picked === undefined ? t('merges:pickTitle', { name: fullName(user) }) : t('merges:mergeTitle')
        }
        isOpen={isOpen}
        onClose={close}
      >
        {picked === undefined ? (
          <UserPicker onPick={setPicked} without={new Set([user.id])} />
        ) : (
          <div className="flex flex-col gap-3">
            <div>
              <Button onPress={() => setPicked(undefined)}>{t('merges:back')}</Button>
            </div>
            <MergeQuestion pair={[user, picked]} {...given} onClose={close} />
          </div>
        )}
      </Dialog>
    </div>
  );
}
