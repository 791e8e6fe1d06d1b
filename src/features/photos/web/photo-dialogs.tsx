import * as z from 'zod/mini';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
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
  async function confirm() {
    if (photo === undefined) return;
    const { message } = await remove.mutateAsync(photo.id);
    onClose();
    onDeleted(photo, message);
  }
  return (
    <ConfirmRemove
      title={t('photos:deleteTitle')}
      question={photo && say(messages.confirmDelete)}
      confirmText={t('web:delete')}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
