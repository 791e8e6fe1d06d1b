import * as z from 'zod/mini';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { CaptionChange, LIMITS, type Photo } from '../contract.ts';
import { useEditCaption } from './api.ts';

type CaptionDialogProps = {
  /** The photo whose caption is edited; undefined while the dialog is closed. */
  photo: Photo | undefined;
  onClose: () => void;
  /** Called with the server's message after saving. */
  onSaid: (message: string) => void;
};

/** Edits a photo's caption. */
export function CaptionDialog({ photo, onClose, onSaid }: CaptionDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('photos:editCaption')} isOpen={photo !== undefined} onClose={onClose}>
      {photo !== undefined && <CaptionForm key={photo.id} photo={photo} onClose={onClose} onSaid={onSaid} />}
    </Dialog>
  );
}

function CaptionForm({ photo, onClose, onSaid }: CaptionDialogProps & { photo: Photo }) {
  const { t } = useTranslation();
  const edit = useEditCaption();
  const form = useForm({
    schema: z.required(CaptionChange),
    initial: { caption: photo.caption ?? '' },
    draft: `caption ${photo.id}`,
    send: async ({ caption }) => {
      const { message } = await edit.mutateAsync({ photo, caption: caption ?? null });
      onClose();
      onSaid(message);
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
