import { RotateCw } from 'lucide-react';
import { useEffect, useState } from 'react';
import { NOTICE_MS, notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-places.ts';
import { Step, StepMessage, stepTitle } from '#web/ui/admin/step.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import type { DriveStatus } from '../contract.ts';
import { useDisconnect, type useDriveStatus } from './admin-api.ts';
import { useConnecting } from './admin-connecting.ts';
import { connectionIn } from './admin-photo-words.ts';

type ConnectStepProps = {
  status: DriveStatus;
  timeZone: string;
  lookAtStatus: ReturnType<typeof useDriveStatus>['refetch'];
  isSyncing: boolean;
  onConnected: () => void;
};

/** The first step: which Drive account is connected, and how to connect one. */
export function ConnectStep({ status, timeZone, lookAtStatus, isSyncing, onConnected }: ConnectStepProps) {
  const text = useText();
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
        title={t(status.connected ? 'drive-sync:connectedTitle' : 'drive-sync:connect')}
        state={status.connected ? 'done' : 'open'}
        summary={status.connected ? connectionIn(status, timeZone, text) : undefined}
        action={
          status.connected && <Button onPress={() => setIsAsking(true)}>{t('drive-sync:disconnect')}</Button>
        }
      >
        {status.connected ? undefined : <NotConnected status={status} connecting={connecting} />}
      </Step>
      <ConfirmDelete
        title={t('drive-sync:disconnectTitle')}
        question={
          isAsking
            ? t(isSyncing ? 'drive-sync:disconnectWhileSyncing' : 'drive-sync:disconnectQuestion')
            : undefined
        }
        confirmText={t('drive-sync:disconnect')}
        onConfirm={disconnect}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

type NotConnectedProps = { status: DriveStatus; connecting: ReturnType<typeof useConnecting> };

function NotConnected({ status, connecting }: NotConnectedProps) {
  const { t } = useText();
  const { progress, failure, canCheck } = connecting;
  return (
    <>
      {status.lost ? (
        <Notice>
          <p className="font-medium">{t('drive-sync:lostTitle')}</p>
          <p className="text-dense">
            {t('drive-sync:lostNote', { account: status.account ?? t('drive-sync:theAccount') })}
          </p>
        </Notice>
      ) : (
        <p className="text-soft">{t('drive-sync:connectNote')}</p>
      )}
      <StepMessage message={failure} />
      <p role="status" className={progress === 'none' || failure !== undefined ? 'sr-only' : 'text-soft'}>
        {progress === 'waiting'
          ? t('drive-sync:finishAtGoogle')
          : progress === 'unheard' && failure === undefined && t('drive-sync:noWordYet')}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button kind={canCheck ? 'quiet' : 'primary'} onPress={connecting.connect}>
          {t(status.lost ? 'drive-sync:reconnect' : 'drive-sync:connect')}
        </Button>
        {canCheck && (
          <Button
            kind="primary"
            onPress={connecting.check}
            isBusy={connecting.isChecking}
            icon={<RotateCw aria-hidden="true" className="size-4" />}
          >
            {t('drive-sync:checkStatus')}
          </Button>
        )}
      </div>
    </>
  );
}
