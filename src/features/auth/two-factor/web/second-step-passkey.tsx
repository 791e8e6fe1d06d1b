import { useMutation, useQuery } from '@tanstack/react-query';
import { useStartSession } from '#features/users/web/api.ts';
import { call, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { offerSecondPasskey } from '../passkey-sign-in-contract.ts';
import { secondFactor } from '../sign-in-contract.ts';
import { hasPasskeys, signWithPasskey } from './webauthn.ts';

type SecondPasskeyProps = { challenge: string; onSignedIn?: (() => void) | undefined };

/** Gives the second proof with a passkey, for whoever has one that works here. */
export function SecondPasskey({ challenge, onSignedIn }: SecondPasskeyProps) {
  const { t } = useTranslation();
  const start = useStartSession();
  const ask = () => call(offerSecondPasskey, { body: { challenge } }).then(({ options }) => options);
  const offered = useQuery({ queryKey: ['public', 'second-passkey', challenge], queryFn: ask, retry: false });
  const prove = useMutation({
    mutationFn: async () => {
      const options = await ask();
      if (options === null) return;
      const passkey = await signWithPasskey(options);
      start(await call(secondFactor, { body: { challenge, passkey } }));
      onSignedIn?.();
    },
  });
  if (offered.data === undefined || offered.data === null || !hasPasskeys()) return null;
  return (
    <div className="flex flex-col gap-2">
      <Button
        isWide
        onPress={() => prove.mutate()}
        isBusy={prove.isPending}
        busyText={t('two-factor:passkeySigningIn')}
      >
        {t('two-factor:passkeyUse')}
      </Button>
      <FormMessage message={prove.isError ? failureText(prove.error) : undefined} />
    </div>
  );
}
