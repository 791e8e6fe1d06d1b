import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { Step, StepMessage, stepTitle } from '#web/ui/admin/steps.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NOTICE_MS, notify } from '#web/ui/toasts.ts';
import type { DriveStatus } from '../contract.ts';
import { useDisconnect, type useDriveStatus } from './admin-api.ts';
import { useConnecting } from './admin-connect-popup.ts';
import { connectionLabel } from './admin-sync-labels.ts';

type ConnectStepProps = {
  status: DriveStatus;
  timeZone: string;
  lookAtStatus: ReturnType<typeof useDriveStatus>['refetch'];
  isSyncing: boolean;
  onConnected: () => void;
};

/** The first step: which Drive account is connected, and how to connect one. */
export function ConnectStep({ status, timeZone, lookAtStatus, isSyncing, onConnected }: ConnectStepProps) {
  const text = useTranslation();
  const { t } = text;
  const [isAsking, setIsAsking] = useState(false);
  const disconnection = useDisconnect();
  const [hasConnected, setHasConnected] = useState(false);
  const connecting = useConnecting(lookAtStatus, () => {
    onConnected();
    setHasConnected(true);
  });
  // The title of the second step is a new element once the connection shows: the old one would take the focus along.
  useEffect(() => {
    if (!hasConnected || !status.connected) return;
    setHasConnected(false);
    stepTitle(2).focus();
  }, [hasConnected, status.connected]);
  async function disconnect() {
    const { message } = await disconnection.mutateAsync();
    notify.success(message, { lasts: NOTICE_MS.photoSync });
    setIsAsking(false);
    listTitle.focus();
  }
  return (
    <>
      <Step
        number={1}
        title={t(status.connected ? 'google-drive:connectedTitle' : 'google-drive:connect')}
        state={status.connected ? 'done' : 'open'}
        summary={status.connected ? connectionLabel(status, timeZone, text) : undefined}
        action={
          status.connected && (
            <Button onPress={() => setIsAsking(true)}>{t('google-drive:disconnect')}</Button>
          )
        }
      >
        {status.connected ? undefined : <NotConnected status={status} connecting={connecting} />}
      </Step>
      <ConfirmDelete
        title={t('google-drive:disconnectTitle')}
        question={
          isAsking
            ? t(isSyncing ? 'google-drive:disconnectWhileSyncing' : 'google-drive:disconnectQuestion')
            : undefined
        }
        confirmText={t('google-drive:disconnect')}
        onConfirm={disconnect}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

type NotConnectedProps = { status: DriveStatus; connecting: ReturnType<typeof useConnecting> };

function NotConnected({ status, connecting }: NotConnectedProps) {
  const { t } = useTranslation();
  const { progress, failure, canCheck } = connecting;
  return (
    <>
      {status.lost ? (
        <Notice>
          <p className="font-medium">{t('google-drive:lostTitle')}</p>
          <p className="text-dense">
            {t('google-drive:lostNote', { account: status.account ?? t('google-drive:theAccount') })}
          </p>
        </Notice>
      ) : (
        <p className="text-soft">{t('google-drive:connectNote')}</p>
      )}
      <StepMessage message={failure} />
      <p role="status" className={progress === 'none' || failure !== undefined ? 'sr-only' : 'text-soft'}>
        {progress === 'waiting'
          ? t('google-drive:finishAtGoogle')
          : progress === 'unheard' && failure === undefined && t('google-drive:noWordYet')}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button kind={canCheck ? 'quiet' : 'primary'} onPress={connecting.connect}>
          {t(status.lost ? 'google-drive:reconnect' : 'google-drive:connect')}
        </Button>
        {canCheck && (
          <Button
            kind="primary"
            onPress={connecting.check}
            isBusy={connecting.isChecking}
            icon={<RotateCw aria-hidden="true" className="size-4" />}
          >
            {t('google-drive:checkStatus')}
          </Button>
        )}
      </div>
    </>
  );
}
