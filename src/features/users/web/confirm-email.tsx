import { Check, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { CardOutcome } from '#features/schools/district-settings/web/card-outcome.tsx';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import { failureText, isRejected } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { messages } from '../contract.ts';
import { ConfirmForm } from '../registration/web/email-confirmation-form.tsx';
import { useConfirmedEmail } from './api.ts';

type ConfirmEmailViewProps = { token: string; isSignedIn: boolean; onBack: () => void };

/** Confirms an e-mail address by the link mailed to it; for a new account the password is chosen here. */
export function ConfirmEmailView({ token, isSignedIn, onBack }: ConfirmEmailViewProps) {
  const { t } = useTranslation();
  const confirmed = useConfirmedEmail(token);
  const [made, setMade] = useState<string>();
  const hasFailed = confirmed.isError && !confirmed.isFetching;
  const isRefused = isRejected(confirmed.error);
  const { data } = confirmed;
  const done = made ?? (data !== undefined && 'message' in data ? data.message : undefined);
  if (done === undefined && data !== undefined && 'registration' in data) {
    return (
      <CardPage links={<LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>}>
        <section className="flex flex-col gap-4">
          <div>
            <CardTitle>{t('users:confirmPasswordTitle')}</CardTitle>
            <p className="mt-1 wrap-anywhere text-soft">
              {t('users:confirmPasswordHelp', { email: data.registration.email })}
            </p>
          </div>
          <ConfirmForm token={token} registration={data.registration} onDone={setMade} />
        </section>
      </CardPage>
    );
  }
  return (
    <CardPage>
      {done !== undefined && (
        <CardOutcome icon={<Check className="size-8" />} title={t('users:confirmedTitle')}>
          <p>{done}</p>
        </CardOutcome>
      )}
      {done === undefined && !hasFailed && (
        <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-soft">
          <Spinner />
          {t('users:confirming')}
        </p>
      )}
      {hasFailed && (
        <CardOutcome icon={<Link2Off className="size-8" />} isBad title={t('users:confirmInvalidTitle')}>
          <p className="font-medium">
            {isRefused
              ? failureText(confirmed.error, messages.invalidConfirmation)
              : t('users:confirmFailed')}
          </p>
          {isRefused && <p className="text-soft">{t('users:confirmInvalidHelp')}</p>}
        </CardOutcome>
      )}
      <div className="flex flex-col gap-2">
        {hasFailed && !isRefused && (
          <Button isWide onPress={() => confirmed.refetch()}>
            {t('web:tryAgain')}
          </Button>
        )}
        <Button kind="primary" isWide onPress={onBack}>
          {t(isSignedIn ? 'users:goOn' : 'users:backToSignIn')}
        </Button>
      </div>
    </CardPage>
  );
}
