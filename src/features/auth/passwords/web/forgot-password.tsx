import { useEffect, useEffectEvent, useState } from 'react';
import { CardPage, CardTitle, EmailSentCard } from '#features/schools/district-settings/web/card-page.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ForgotInput, messages } from '../../contract.ts';
import { sendResetLink } from '../../web/api.ts';

type ForgotPasswordFormProps = {
  /** The address already typed on the sign-in form. */
  email: string;
  onSent: (sent: { message: string; email: string }) => void;
};

/** The form that requests a link to choose a new password. */
export function ForgotPasswordForm({ email, onSent }: ForgotPasswordFormProps) {
  const { t } = useTranslation();
  const form = useForm({
    schema: ForgotInput,
    initial: { email },
    send: async (input) => onSent({ ...(await sendResetLink(input)), email: input.email }),
    failed: messages.resetRequestFailed,
    whenLeft: 'no loss',
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      <TextField
        {...form.field('email')}
        label={t('users:email')}
        type="email"
        autoComplete="username"
        isRequired
      />
      <FormMessage message={form.message} summary={form.summary} />
      <Button kind="primary" type="submit" isWide isBusy={form.isSending} busyText={t('users:sending')}>
        {t('auth:forgotSend')}
      </Button>
    </form>
  );
}

/** How long the message about the sent link stays before the sign-in form returns (specification section 9). */
const FORGOT_MS = 5_000;

type ForgotPasswordProps = { email: string; onBack: (values?: { email: string }) => void };

/** The forgot-password mode of the login view: requests the address, shows a message, then returns to the sign-in form. */
export function ForgotPassword({ email, onBack }: ForgotPasswordProps) {
  const { t } = useTranslation();
  const [sent, setSent] = useState<{ message: string; email: string }>();
  if (sent !== undefined) return <Sent text={sent.message} onBack={() => onBack({ email: sent.email })} />;
  return (
    <CardPage links={<LinkButton onPress={() => onBack()}>{t('users:backToSignIn')}</LinkButton>}>
      <section className="flex flex-col gap-4">
        <div>
          <CardTitle>{t('auth:forgotTitle')}</CardTitle>
          <p className="mt-1 text-soft">{t('auth:forgotHelp')}</p>
        </div>
        <ForgotPasswordForm email={email} onSent={setSent} />
      </section>
    </CardPage>
  );
}

function Sent({ text, onBack }: { text: string; onBack: () => void }) {
  const goBack = useEffectEvent(onBack);
  // Leaving earlier cancels the timer, so that it does not close the next screen.
  useEffect(() => {
    const timer = setTimeout(goBack, FORGOT_MS);
    return () => clearTimeout(timer);
  }, []);
  return <EmailSentCard text={text} onBack={onBack} />;
}
