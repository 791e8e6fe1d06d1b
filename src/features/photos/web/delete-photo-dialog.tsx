import { useId } from 'react';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { messages, type Photo } from '../contract.ts';
import { useDeletePhoto } from './api.ts';

type DeleteDialogProps = {
  /** The photo to delete; undefined while the dialog is closed. */
  photo: Photo | undefined;
  onClose: () => void;
  onDeleted: (photo: Photo, message: string) => void;
};

/** Asks for confirmation before a photo is deleted. */
export function DeleteDialog({ photo, onClose, onDeleted }: DeleteDialogProps) {
  const { t, say } = useTranslation();
  const remove = useDeletePhoto();
  const id = useId();
  function close() {
    remove.reset();
    onClose();
  }
  async function confirm() {
    if (photo === undefined) return;
    try {
      const { message } = await remove.mutateAsync(photo.id);
      close();
      onDeleted(photo, message);
    } catch {
      // The dialog shows the mutation's own error.
    }
  }
  return (
    <Dialog title={t('photos:deleteTitle')} isOpen={photo !== undefined} onClose={close} isAlert>
      <p id={id}>{say(messages.confirmDelete)}</p>
      <FormMessage message={remove.isError ? failureText(remove.error) : undefined} />
      <DialogActions>
        <Button kind="plain" onPress={close}>
          {t('web:cancel')}
        </Button>
        <Button kind="danger" onPress={() => void confirm()} isBusy={remove.isPending} describedBy={id}>
          {t('web:delete')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
