import { useId } from 'react';
import * as z from 'zod/mini';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { CaptionChange, LIMITS, messages, type Photo } from '../contract.ts';
import { useDeletePhoto, useEditCaption } from './api.ts';

type CaptionDialogProps = {
  /** The photo whose caption is edited; undefined while the dialog is closed. */
  photo: Photo | undefined;
  onClose: () => void;
  /** Called with the server's message after saving. */
  onMessage: (message: string) => void;
};

/** Edits a photo's caption. */
export function CaptionDialog({ photo, onClose, onMessage }: CaptionDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('photos:editCaption')} isOpen={photo !== undefined} onClose={onClose}>
      {photo !== undefined && (
        <CaptionForm key={photo.id} photo={photo} onClose={onClose} onMessage={onMessage} />
      )}
    </Dialog>
  );
}

function CaptionForm({ photo, onClose, onMessage }: CaptionDialogProps & { photo: Photo }) {
  const { t } = useTranslation();
  const edit = useEditCaption();
  const form = useForm({
    schema: z.required(CaptionChange),
    initial: { caption: photo.caption ?? '' },
    draft: `caption ${photo.id}`,
    send: async ({ caption }) => {
      const { message } = await edit.mutateAsync({ photo, caption: caption ?? null });
      onClose();
      onMessage(message);
    },
  });
  return (
    <DialogForm form={form} onCancel={onClose}>
      <TextArea
        {...form.field('caption')}
        label={t('photos:caption')}
        hint={t('photos:captionHint')}
        max={LIMITS.caption}
        rows={3}
      />
    </DialogForm>
  );
}

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
