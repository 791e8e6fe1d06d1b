import { useState } from 'react';
import { CardPage, CardTitle, EmailSentCard } from '#features/schools/district-settings/web/card-page.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ForgotInput } from '../../contract.ts';
import { messages } from '../contract.ts';
import { sendSignInLink } from './api.ts';

type SignInLinkFormProps = {
  /** The address already typed on the sign-in form. */
  email: string;
  onSent: (sent: { message: string; email: string }) => void;
};

/** Requests a link that signs in. */
export function SignInLinkForm({ email, onSent }: SignInLinkFormProps) {
  const { t } = useTranslation();
  const form = useForm({
    schema: ForgotInput,
    initial: { email },
    send: async (input) => onSent({ ...(await sendSignInLink(input)), email: input.email }),
    failed: messages.failed,
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
        {t('auth:linkSend')}
      </Button>
    </form>
  );
}

/** Below the sign-in form: leads to an emailed link. */
export function SignInLinkButton({ onPress }: { onPress: () => void }) {
  const { t } = useTranslation();
  return (
    <Button isWide onPress={onPress}>
      {t('auth:linkAsk')}
    </Button>
  );
}

/** Asks for the address, then says that the email is on its way. */
export function SignInLink({
  email,
  onBack,
}: {
  email: string;
  onBack: (values?: { email: string }) => void;
}) {
  const { t } = useTranslation();
  const [sent, setSent] = useState<{ message: string; email: string }>();
  if (sent !== undefined) {
    return <EmailSentCard text={sent.message} onBack={() => onBack({ email: sent.email })} />;
  }
  return (
    <CardPage links={<LinkButton onPress={() => onBack()}>{t('users:backToSignIn')}</LinkButton>}>
      <section className="flex flex-col gap-4">
        <div>
          <CardTitle>{t('auth:linkTitle')}</CardTitle>
          <p className="mt-1 text-soft">{t('auth:linkHelp')}</p>
        </div>
        <SignInLinkForm email={email} onSent={setSent} />
      </section>
    </CardPage>
  );
}
