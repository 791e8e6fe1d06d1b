import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { Dialog, DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS, type Photo, takePhotoDown } from '../contract.ts';
import { useTakeDown } from './api.ts';

type TakeDownDialogProps = {
  /** The photo in question; nothing keeps the dialog closed. */
  photo: Photo | undefined;
  isAdmin: boolean;
  onClose: () => void;
  onTakenDown: (photo: Photo, message: string) => void;
};

/** Any member may ask to take a photo down; no reason is needed, and it is hidden at once. */
export function TakeDownDialog({ photo, ...rest }: TakeDownDialogProps) {
  const { t } = useText();
  return (
    <Dialog title={t('photos:takeDownTitle')} isOpen={photo !== undefined} onClose={rest.onClose}>
      {photo !== undefined && <TakeDownForm key={photo.id} photo={photo} {...rest} />}
    </Dialog>
  );
}

function TakeDownForm({
  photo,
  isAdmin,
  onClose,
  onTakenDown,
}: Omit<TakeDownDialogProps, 'photo'> & { photo: Photo }) {
  const { t } = useText();
  const takeDown = useTakeDown(isAdmin);
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
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <p>{t('photos:takeDownHint')}</p>
      <TextArea {...form.field('reason')} label={t('photos:takeDownReason')} max={LIMITS.reason} rows={2} />
      <FormMessage message={form.message} summary={form.summary} />
      <DialogActions>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
        <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('photos:takingDown')}>
          {t('photos:takeDown')}
        </Button>
      </DialogActions>
    </form>
  );
}
