import { Folder } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { CopyField } from '#web/ui/admin/copy-field.tsx';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { NewTabLink } from '#web/ui/admin/new-tab-link.tsx';
import { Step, Steps } from '#web/ui/admin/steps.tsx';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { DialogForm } from '#web/ui/dialog-form.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { NOTICE_MS, notify } from '#web/ui/toasts.ts';
import { DriveSettingsChange, type DriveStatus, LIMITS, messages } from '../contract.ts';
import { ActivityStep } from './admin-activity-step.tsx';
import { useChangeDriveSettings, useDriveStatus } from './admin-api.ts';
import { ConnectStep } from './admin-connect-step.tsx';
import { useSyncing } from './admin-sync-state.ts';
import { SyncStep } from './admin-sync-step.tsx';

const CONSOLE = 'https://console.cloud.google.com/';

/** The one-time setup at Google and on the server, which is needed before an administrator can connect. */
export function SetupGuide({ redirectUrl }: { redirectUrl: string }) {
  const { t } = useTranslation();
  return (
    <Card labelledBy="drive-set-up">
      <h3 id="drive-set-up" className="text-lg font-semibold">
        {t('google-drive:setUpTitle')}
      </h3>
      <p className="mt-1 text-soft">{t('google-drive:setUpNote')}</p>
      <ol className="mt-4 flex max-w-2xl list-decimal flex-col gap-4 pl-6 marker:font-semibold marker:text-brand">
        <li className="pl-1">
          {t('google-drive:setUpProject')}
          <div>
            <NewTabLink href={CONSOLE} text={t('google-drive:setUpConsole')} />
          </div>
        </li>
        <li className="pl-1">{t('google-drive:setUpApi')}</li>
        <li className="pl-1">{t('google-drive:setUpConsent')}</li>
        <li className="pl-1">
          <p className="mb-3">{t('google-drive:setUpClient')}</p>
          <CopyField label={t('google-drive:redirectUri')} name="redirectUrl" value={redirectUrl} />
        </li>
        <li className="pl-1">{t('google-drive:setUpSettings')}</li>
        <li className="pl-1">{t('google-drive:setUpDone')}</li>
      </ol>
    </Card>
  );
}

export type AdminPhotoSyncProps = { school: PublicSchool; filter: ReactNode; district: District };

/** Copies photos of activities to the district's Google Drive, in three steps: connect, choose, sync. */
export function AdminPhotoSync({ school, filter, district }: AdminPhotoSyncProps) {
  const { t } = useTranslation();
  const status = useDriveStatus();
  const { data } = status;
  return (
    <section aria-labelledby="photo-sync" className="flex flex-col gap-4">
      <ListTitle id="photo-sync" title={t('web:photoSync')} aside={filter} />
      <QueryPlaceholder text={messages.couldNotCheck} query={status} rows={3} isTall />
      {data?.configured === false && <NotConfigured redirectUrl={data.redirectUrl} />}
      {data?.configured && (
        <>
          <ThreeSteps school={school} district={district} status={data} refetchStatus={status.refetch} />
          {data.connected && <DestinationFolder status={data} />}
          <HowItWorks />
        </>
      )}
    </section>
  );
}

/**
 * The connect button without setup. It stays enabled (specification section 2), and pressing it explains what is missing and
 * how to set it up.
 */
export function NotConfigured({ redirectUrl }: { redirectUrl: string }) {
  const { t, say } = useTranslation();
  const [isRequested, setIsRequested] = useState(false);
  return (
    <>
      <div>
        <Button kind="primary" onPress={() => setIsRequested(true)}>
          {t('google-drive:connect')}
        </Button>
      </div>
      <div role="status" className="not-has-[p]:-mt-4">
        {isRequested && (
          <Notice>
            <p>{say(messages.notConfigured)}</p>
          </Notice>
        )}
      </div>
      {isRequested && <SetupGuide redirectUrl={redirectUrl} />}
    </>
  );
}

type ThreeStepsProps = {
  school: PublicSchool;
  district: District;
  status: DriveStatus;
  refetchStatus: ReturnType<typeof useDriveStatus>['refetch'];
};

function ThreeSteps({ school, district, status, refetchStatus }: ThreeStepsProps) {
  const { t } = useTranslation();
  const [chosenIds, setChosenIds] = useState<readonly Id[]>([]);
  const syncing = useSyncing(() => void refetchStatus());
  return (
    <Steps>
      <ConnectStep
        status={status}
        timeZone={district.timeZone}
        refetchStatus={refetchStatus}
        isSyncing={syncing.isUnderWay}
        onConnected={syncing.clearFailure}
      />
      {status.connected ? (
        <>
          <ActivityStep
            school={school}
            timeZone={district.timeZone}
            chosenIds={chosenIds}
            onChoose={(ids) => {
              setChosenIds(ids);
              syncing.clearFailure();
            }}
            isSyncing={syncing.isUnderWay}
          />
          <SyncStep timeZone={district.timeZone} chosenIds={chosenIds} syncing={syncing} />
        </>
      ) : (
        <>
          <Step number={2} title={t('google-drive:stepChoose')} state="later" />
          <Step number={3} title={t('google-drive:stepSync')} state="later" />
        </>
      )}
    </Steps>
  );
}

function HowItWorks() {
  const { t } = useTranslation();
  return (
    <section aria-labelledby="how-it-works" className="px-1 pt-2">
      <h3 id="how-it-works" className="mb-2 text-lg font-semibold">
        {t('google-drive:howItWorks')}
      </h3>
      <ul className="flex list-disc flex-col gap-1.5 pl-5 text-dense text-soft marker:text-brand">
        <li>{t('google-drive:howFolders')}</li>
        <li>{t('google-drive:howSkipped')}</li>
        <li>{t('google-drive:howRemoved')}</li>
        <li>{t('google-drive:howMoved')}</li>
        <li>{t('google-drive:howGoesOn')}</li>
        <li>{t('google-drive:howLittle')}</li>
      </ul>
    </section>
  );
}

/** The settings for the parent folder in Drive and for the nightly sync. */
function DestinationFolder({ status }: { status: DriveStatus }) {
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
