import { Folder } from 'lucide-react';
import { useState } from 'react';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { NewTabLink } from '#web/ui/admin/new-tab-link.tsx';
import { LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { NOTICE_MS, notify } from '#web/ui/toasts.ts';
import { DriveSettingsChange, type DriveStatus, LIMITS } from '../contract.ts';
import { useChangeDriveSettings } from './admin-api.ts';

/** Where in Drive the activity folders are created, and whether a sync runs every night. */
export function DestinationFolder({ status }: { status: DriveStatus }) {
  const { t } = useTranslation();
  const [isChoosing, setIsChoosing] = useState(false);
  const [failure, setFailure] = useState<string>();
  const change = useChangeDriveSettings();
  async function save(body: Parameters<typeof change.mutateAsync>[0]) {
    const { message } = await change.mutateAsync(body);
    notify.success(message, { lasts: NOTICE_MS.photoSync });
  }
  async function turn(nightly: boolean) {
    setFailure(undefined);
    try {
      await save({ nightly });
    } catch (error) {
      setFailure(failureText(error));
    }
  }
  const { folder } = status;
  return (
    <Card labelledBy="drive-destination" isTight>
      <h3 id="drive-destination" className="sr-only">
        {t('google-drive:settings')}
      </h3>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 px-2">
        <Folder aria-hidden="true" className="size-5 shrink-0 text-soft" />
        <div className="min-w-0 grow basis-48">
          <p className="text-dense text-soft">{t('google-drive:foldersAreIn')}</p>
          <p className="font-medium wrap-anywhere">{folder?.name ?? status.newFolder}</p>
          {folder === null && <p className="text-dense text-soft">{t('google-drive:madeWithFirst')}</p>}
        </div>
        <div className="flex flex-wrap items-center gap-x-4">
          {folder !== null && (
            <NewTabLink href={folder.url} text={t('google-drive:viewInDrive')} about={folder.name} />
          )}
          <LinkButton onPress={() => setIsChoosing(true)}>{t('google-drive:otherFolder')}</LinkButton>
        </div>
      </div>
      <div className="mt-2 border-t border-line pt-2">
        <Checkbox
          name="nightly"
          isSelected={change.isPending ? (change.variables.nightly ?? status.nightly) : status.nightly}
          onChange={(isOn) => void turn(isOn)}
        >
          {t('google-drive:everyNight')}
        </Checkbox>
      </div>
      <FormMessage message={failure} />
      <Dialog title={t('google-drive:otherFolder')} isOpen={isChoosing} onClose={() => setIsChoosing(false)}>
        <FolderForm save={save} onClose={() => setIsChoosing(false)} />
      </Dialog>
    </Card>
  );
}

type FolderFormProps = { save: (body: { folder: string | null }) => Promise<void>; onClose: () => void };

function FolderForm({ save, onClose }: FolderFormProps) {
  const { t } = useTranslation();
  const form = useForm({
    schema: DriveSettingsChange,
    initial: { folder: '' },
    send: async ({ folder }) => {
      await save({ folder: folder?.trim() || null });
      onClose();
    },
  });
  return (
    <DialogForm form={form} onCancel={onClose}>
      <p className="text-soft">{t('google-drive:otherFolderNote')}</p>
      <TextField
        {...form.field('folder')}
        label={t('google-drive:folderLinkField')}
        hint={t('google-drive:folderLinkHint')}
        maxLength={LIMITS.folderLink}
        isPlain
      />
    </DialogForm>
  );
}
