import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS, type Photo, takePhotoDown } from '../contract.ts';
import { useHidePhoto } from './api.ts';

type TakeDownDialogProps = {
  /** The photo to take down; undefined while the dialog is closed. */
  photo: Photo | undefined;
  /** The person still sees the photo afterwards. */
  seesAll: boolean;
  onClose: () => void;
  onTakenDown: (photo: Photo, message: string) => void;
};

/** Any member may ask to take a photo down. No reason is needed, and the photo is hidden at once. */
export function HidePhotoDialog({ photo, ...rest }: TakeDownDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog title={t('photos:takeDownTitle')} isOpen={photo !== undefined} onClose={rest.onClose}>
      {photo !== undefined && <TakeDownForm key={photo.id} photo={photo} {...rest} />}
    </Dialog>
  );
}

function TakeDownForm({
  photo,
  seesAll,
  onClose,
  onTakenDown,
}: Omit<TakeDownDialogProps, 'photo'> & { photo: Photo }) {
  const { t } = useTranslation();
  const takeDown = useHidePhoto(seesAll);
  const form = useForm({
    schema: takePhotoDown.parts.body,
    initial: { reason: '' },
    send: async ({ reason }) => {
      const { message } = await takeDown.mutateAsync({ photo, reason: reason ?? null });
      onClose();
      onTakenDown(photo, message);
    },
  });
  return (
    <DialogForm
      form={form}
      send={{ text: t('photos:takeDown'), busyText: t('photos:takingDown') }}
      onCancel={onClose}
    >
      <p>{t('photos:takeDownHint')}</p>
      <TextArea {...form.field('reason')} label={t('photos:takeDownReason')} max={LIMITS.reason} rows={2} />
    </DialogForm>
  );
}
