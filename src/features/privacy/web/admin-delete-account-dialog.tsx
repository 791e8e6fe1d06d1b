import { type FormEvent, useState } from 'react';
import type { PersonContact } from '#features/users/contract.ts';
import { EmailNotice } from '#features/users/web/admin-email-notice.tsx';
import { fullName } from '#shared/person-name.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { useDeleteAccount } from './admin-api.ts';

type DeleteAccountDialogProps = {
  /** The person to delete; undefined while the dialog is closed. */
  person: PersonContact | undefined;
  onDone: (message: string) => void;
  onClose: () => void;
};

/** The warning before a permanent account deletion; the hours stay. */
export function DeleteAccountDialog({ person, onDone, onClose }: DeleteAccountDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={person === undefined ? '' : t('privacy:erasePersonTitle', { name: fullName(person) })}
      isOpen={person !== undefined}
      onClose={onClose}
      isAlert
    >
      {person !== undefined && <DeleteAccountForm person={person} onDone={onDone} onClose={onClose} />}
    </Dialog>
  );
}

// Requires a ticked checkbox, because this cannot be undone.
function DeleteAccountForm({
  person,
  onDone,
  onClose,
}: DeleteAccountDialogProps & { person: PersonContact }) {
  const { t } = useTranslation();
  const deletion = useDeleteAccount();
  const [isSure, setIsSure] = useState(false);
  const [failure, setFailure] = useState<string>();
  async function deleteAccount(event: FormEvent) {
    event.preventDefault();
    if (!isSure) {
      setFailure(t('privacy:eraseTickFirst'));
      return;
    }
    try {
      onDone((await deletion.mutateAsync(person.id)).message);
    } catch (error) {
      setFailure(failureText(error));
    }
  }
  return (
    <form noValidate onSubmit={(event) => void deleteAccount(event)}>
      <div className="mb-2 flex flex-col gap-2 wrap-anywhere">
        <p>{person.email}</p>
        <p>{t('privacy:erasePersonGoes')}</p>
        <p>{t('privacy:erasePersonStays')}</p>
        <EmailNotice />
      </div>
      <div className="-mx-2 mb-2">
        <Checkbox
          isSelected={isSure}
          isAtFault={!isSure && failure !== undefined}
          onChange={(ticked) => {
            setIsSure(ticked);
            setFailure(undefined);
          }}
        >
          {t('privacy:erasePersonSure', { name: fullName(person) })}
        </Checkbox>
      </div>
      <FormMessage message={failure} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button kind="danger" type="submit" isBusy={deletion.isPending}>
          {t('privacy:erase')}
        </Button>
      </DialogActions>
    </form>
  );
}
