import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import { useStartSession } from '#features/users/web/api.ts';
import { call, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { offerPasskeySignIn, signInWithPasskey } from '../sign-in-contract.ts';
import { cancelPasskeyAutofill, hasPasskeys, offerPasskeyAutofill, signWithPasskey } from './webauthn.ts';

type Answer = Awaited<ReturnType<typeof signWithPasskey>>;

const ask = () => call(offerPasskeySignIn).then(({ options }) => options);

/** The button that signs in with a passkey; the browser also offers passkeys in the email field. */
export function PasskeyButton() {
  const { t } = useTranslation();
  const start = useStartSession();
  const signIn = useMutation({
    // Autofill passes a response; the button has to request one.
    mutationFn: async (offered: Answer | undefined) => {
      const passkey = offered ?? (await signWithPasskey(await ask()));
      start(await call(signInWithPasskey, { body: { passkey } }));
    },
  });
  const takeOffered = useEffectEvent((answer: Answer | null) => {
    if (answer !== null) signIn.mutate(answer);
  });
  useEffect(() => {
    offerPasskeyAutofill(ask).then(takeOffered, () => {
      // The user did not ask for autofill, so only the button shows errors.
    });
    return cancelPasskeyAutofill;
  }, []);
  if (!hasPasskeys()) return null;
  return (
    <div className="flex flex-col gap-2">
      <Button
        isWide
        onPress={() => signIn.mutate(undefined)}
        isBusy={signIn.isPending}
        busyText={t('two-factor:passkeySigningIn')}
      >
        {t('two-factor:passkeySignIn')}
      </Button>
      <FormMessage message={signIn.isError ? failureText(signIn.error) : undefined} />
    </div>
  );
}
