import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { call, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { REAUTHENTICATION_FAILURES, type ReauthenticationProvider, reauthenticate } from '../contract.ts';
import { onProviderReturn, openProviderWindow, type Returned } from './provider-window.ts';

const SAID = {
  unreachable: 'users:freshUnreachable',
  declined: 'users:freshDeclined',
  unbelievable: 'users:freshUnbelievable',
  expired: 'users:freshExpired',
  busy: 'users:freshBusy',
  standing: 'users:freshStanding',
} as const;

type FreshByProviderProps = { provider: ReauthenticationProvider; onDone: (isGiven: boolean) => void };

/** A sign-in at a service in a window of its own, so that nothing typed here is lost. */
export function ReauthenticateByProvider({ provider, onDone }: FreshByProviderProps) {
  const { t } = useTranslation();
  const { title } = provider;
  const [opened, setOpened] = useState<Window>();
  const [failure, setFailure] = useState<string>();
  const prove = useMutation({
    mutationFn: (code: string) => call(reauthenticate, { body: { provider: code } }),
    onSuccess: () => onDone(true),
    onError: (error) => setFailure(failureText(error)),
  });
  const take = useEffectEvent((returned: Returned) => {
    setOpened(undefined);
    if ('code' in returned) return prove.mutate(returned.code);
    const known = REAUTHENTICATION_FAILURES.find((one) => one === returned.failure) ?? 'expired';
    setFailure(t(SAID[known], { title }));
  });
  // Only the page that opened a window listens; when the dialog goes, so does the window.
  useEffect(() => {
    if (opened === undefined) return;
    const stop = onProviderReturn(take);
    return () => {
      stop();
      opened.close();
    };
  }, [opened]);
  const open = () => {
    const next = openProviderWindow(provider);
    setOpened(next);
    setFailure(next === undefined ? t('users:freshBlocked', { title }) : undefined);
  };
  return (
    <div className="flex flex-col gap-2">
      <Button isWide onPress={open} isBusy={prove.isPending}>
        {t('users:freshProvider', { title })}
      </Button>
      {opened !== undefined && <p role="status">{t('users:freshWaiting', { title })}</p>}
      <FormMessage message={failure} />
    </div>
  );
}
