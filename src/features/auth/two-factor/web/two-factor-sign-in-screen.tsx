import { useState } from 'react';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import { useTranslation } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { SecondFactorForm, SecondPasskey } from './two-factor-form.tsx';

export type SecondFactorProps = {
  challenge: string;
  /** Called when the session has begun. */
  onSignedIn?: () => void;
  onBack: () => void;
};

/** Asks for the code of an authenticator app, or for a recovery code instead. */
export function SecondFactorView({ challenge, onSignedIn, onBack }: SecondFactorProps) {
  const { t } = useTranslation();
  const [isRecovery, setIsRecovery] = useState(false);
  return (
    <CardPage
      isFixed
      links={
        <>
          <LinkButton onPress={() => setIsRecovery(!isRecovery)}>
            {t(isRecovery ? 'two-factor:toCode' : 'two-factor:toRecoveryCode')}
          </LinkButton>
          <LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>
        </>
      }
    >
      <section className="flex flex-col gap-4" key={String(isRecovery)}>
        <div>
          <CardTitle>{t('two-factor:signInTitle')}</CardTitle>
          <p className="mt-1 text-soft">
            {t(isRecovery ? 'two-factor:recoveryHelp' : 'two-factor:codeHelp')}
          </p>
        </div>
        <SecondPasskey challenge={challenge} onSignedIn={onSignedIn} />
        <SecondFactorForm challenge={challenge} isRecovery={isRecovery} onSignedIn={onSignedIn} />
      </section>
    </CardPage>
  );
}
