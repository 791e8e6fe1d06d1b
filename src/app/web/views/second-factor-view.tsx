import { useState } from 'react';
import { SecondFactorForm } from '#rooms/users/web/second-factor-form.tsx';
import { SecondPasskey } from '#rooms/users/web/second-passkey.tsx';
import { useText } from '#web/lib/text.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { CardPage, CardTitle } from './card-page.tsx';

export type SecondFactorProps = {
  challenge: string;
  /** Called when the session has begun. */
  onSignedIn?: () => void;
  onBack: () => void;
};

/** Asks for the code of an authenticator app, or for a recovery code in its place. */
export function SecondFactorView({ challenge, onSignedIn, onBack }: SecondFactorProps) {
  const { t } = useText();
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <CardPage
      isFixed
      links={
        <>
          <LinkButton onPress={() => setIsRecovery(!isRecovery)}>
            {t(isRecovery ? 'second-proof:toCode' : 'second-proof:toRecoveryCode')}
          </LinkButton>
          <LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>
        </>
      }
    >
      <section className="flex flex-col gap-4" key={String(isRecovery)}>
        <div>
          <CardTitle>{t('second-proof:signInTitle')}</CardTitle>
          <p className="mt-1 text-soft">
            {t(isRecovery ? 'second-proof:recoveryHelp' : 'second-proof:codeHelp')}
          </p>
        </div>
        <SecondPasskey challenge={challenge} onSignedIn={onSignedIn} />
        <SecondFactorForm challenge={challenge} isRecovery={isRecovery} onSignedIn={onSignedIn} />
      </section>
    </CardPage>
  );
}
