import { useMutation } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';
import {
  answerWithPasskey,
  hasPasskeys,
  offerAmongNames,
  stopOffering,
} from '#rooms/second-proof/web/device.ts';
import { call, failureText } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { offerPasskeySignIn, signInWithPasskey } from '../passkey-sign-in-contract.ts';
import { useStartSession } from './api.ts';

type Answer = Awaited<ReturnType<typeof answerWithPasskey>>;

const ask = () => call(offerPasskeySignIn).then(({ options }) => options);

/** The button that signs in with a passkey; the browser also offers passkeys in the field of the address. */
export function PasskeyButton() {
  const { t } = useText();
  const start = useStartSession();
  const signIn = useMutation({
    // From the browser's offer comes an answer; the button has to ask for one.
    mutationFn: async (offered: Answer | undefined) => {
      const passkey = offered ?? (await answerWithPasskey(await ask()));
      start(await call(signInWithPasskey, { body: { passkey } }));
    },
  });
  const takeOffered = useEffectEvent((answer: Answer | null) => {
    if (answer !== null) signIn.mutate(answer);
  });
  useEffect(() => {
    offerAmongNames(ask).then(takeOffered, () => {
      // Nobody asked for it: the button says what is wrong.
    });
    return stopOffering;
  }, []);
  if (!hasPasskeys()) return null;
  return (
    <div className="flex flex-col gap-2">
      <Button
        isWide
        onPress={() => signIn.mutate(undefined)}
        isBusy={signIn.isPending}
        busyText={t('second-proof:passkeySigningIn')}
      >
        {t('second-proof:passkeySignIn')}
      </Button>
      <FormMessage message={signIn.isError ? failureText(signIn.error) : undefined} />
    </div>
  );
}
