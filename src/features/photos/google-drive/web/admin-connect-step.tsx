import { RotateCw } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import * as z from 'zod/mini';
import { call, failureText } from '#web/api/call.ts';
import { onRecentAuthRequested } from '#web/api/re-authentication.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { ConfirmDelete } from '#web/ui/admin/confirm-delete.tsx';
import { listTitle } from '#web/ui/admin/list-focus-targets.ts';
import { Step, StepMessage, stepTitle } from '#web/ui/admin/steps.tsx';
import { Button } from '#web/ui/button.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { NOTICE_MS, notify } from '#web/ui/toasts.ts';
import {
  CONNECTION_MESSAGE,
  ConnectionMessage,
  type DriveStatus,
  getDriveAuthUrl,
  messages,
  POPUP,
} from '../contract.ts';
import { useDisconnect, type useDriveStatus } from './admin-api.ts';
import { connectionLabel } from './admin-sync-labels.ts';

/** The state of connecting. `unheard` means that the popup sent no message for ten seconds. */
export type Progress = 'none' | 'waiting' | 'unheard';

type StatusResult = Readonly<{ data: DriveStatus | undefined; isError: boolean }>;

/**
 * Connects to Drive in a Google popup (specification section 4). The popup's message can arrive in two ways and may be lost on
 * both: then the status is requested, once automatically and again whenever the user asks. Long because every step reads and
 * ends the same attempt.
 */
export function useConnecting(refetchStatus: () => Promise<StatusResult>, onConnected: () => void) {
  const { say } = useTranslation();
  const [attempt, setAttempt] = useState(0);
  const [progress, setProgress] = useState<Progress>('none');
  const [failure, setFailure] = useState<string>();
  const [canCheck, setCanCheck] = useState(false);
  const [isChecking, setIsChecking] = useState(false);
  const popup = useRef<Window>(null);
  const attempts = useRef(0);

  function endAttempt(text?: string) {
    setAttempt(0);
    setProgress('none');
    setCanCheck(false);
    setFailure(text);
  }

  function succeed() {
    endAttempt();
    notify.success(say(messages.connected), { lasts: NOTICE_MS.photoSync });
    onConnected();
  }

  function showUncertain(text: string) {
    setFailure(text);
    setCanCheck(true);
  }

  const onReply = useEffectEvent(async (isOk: boolean) => {
    const { data, isError } = await refetchStatus();
    if (isError || data === undefined) showUncertain(say(messages.couldNotVerify));
    else if (data.connected) succeed();
    else if (isOk) endAttempt(say(messages.notConnected));
    else endAttempt(say(messages.failedToConnect(data.problem ?? say(messages.requestInvalid))));
  });

  const onNoReply = useEffectEvent(async () => {
    const { data, isError } = await refetchStatus();
    if (data?.connected && !isError) return succeed();
    setProgress('unheard');
    setCanCheck(true);
    if (isError) showUncertain(say(messages.couldNotVerify));
  });

  useEffect(() => {
    if (attempt === 0) return;
    let hasReply = false;
    const receive = (data: unknown) => {
      const read = z.safeParse(ConnectionMessage, data);
      if (hasReply || !read.success) return;
      hasReply = true;
      clearTimeout(timer);
      void onReply(read.data.ok);
    };
    const fromWindow = ({ origin, source, data }: MessageEvent) => {
      if (origin === location.origin && source === popup.current) receive(data);
    };
    // Google's pages may cut the popup's link to this page; then only the channel still works.
    const channel = new BroadcastChannel(CONNECTION_MESSAGE);
    const timer = setTimeout(() => void onNoReply(), POPUP.waitMs);
    channel.addEventListener('message', ({ data }) => receive(data));
    window.addEventListener('message', fromWindow);
    return () => {
      clearTimeout(timer);
      channel.close();
      window.removeEventListener('message', fromWindow);
    };
  }, [attempt]);

  async function connect() {
    // Opened during the click, or browsers would block it as a popup; its address is requested afterwards.
    const opened = openWindow();
    if (opened === null) return endAttempt(say(messages.popupBlocked));
    endAttempt();
    setProgress('waiting');
    // An empty window would cover the dialog that asks for the password.
    const stop = onRecentAuthRequested(() => opened.close());
    try {
      const { authUrl } = await call(getDriveAuthUrl);
      const target = opened.closed ? openWindow() : opened;
      if (target === null) return endAttempt(say(messages.popupBlocked));
      popup.current = target;
      attempts.current += 1;
      setAttempt(attempts.current);
      target.location.href = authUrl;
    } catch (error) {
      opened.close();
      endAttempt(say(messages.failedToConnect(failureText(error))));
    } finally {
      stop();
    }
  }

  async function check() {
    setIsChecking(true);
    const { data, isError } = await refetchStatus();
    setIsChecking(false);
    if (isError || data === undefined) showUncertain(say(messages.couldNotCheck));
    else if (data.connected) succeed();
    else setFailure(say(messages.notConnected));
  }

  return {
    progress,
    /** The error message. */
    failure,
    /** Whether it makes sense to ask the server for the status. */
    canCheck,
    isChecking,
    connect: () => void connect(),
    check: () => void check(),
  };
}

function openWindow(): Window | null {
  const { width, height } = POPUP;
  const left = Math.round(window.screenX + (window.outerWidth - width) / 2);
  const top = Math.round(window.screenY + (window.outerHeight - height) / 2);
  const features = `popup,width=${width},height=${height},left=${Math.max(left, 0)},top=${Math.max(top, 0)}`;
  const opened = window.open('', CONNECTION_MESSAGE, features);
  return opened === null || opened.closed ? null : opened;
}

type ConnectStepProps = {
  status: DriveStatus;
  timeZone: string;
  refetchStatus: ReturnType<typeof useDriveStatus>['refetch'];
  isSyncing: boolean;
  onConnected: () => void;
};

/** The first step: which Drive account is connected, and how to connect one. */
export function ConnectStep({ status, timeZone, refetchStatus, isSyncing, onConnected }: ConnectStepProps) {
  const text = useTranslation();
  const { t } = text;
  const [isAsking, setIsAsking] = useState(false);
  const disconnection = useDisconnect();
  const [hasConnected, setHasConnected] = useState(false);
  const connecting = useConnecting(refetchStatus, () => {
    onConnected();
    setHasConnected(true);
  });
  // The second step's title is replaced once the connection is shown, and focusing the old one would lose the focus.
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
