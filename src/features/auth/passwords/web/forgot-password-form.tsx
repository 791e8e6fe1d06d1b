import { ForgotInput, messages } from '#features/users/contract.ts';
import { sendResetLink } from '#features/users/web/api.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { TextField } from '#web/ui/text-field.tsx';

type ForgotPasswordFormProps = {
  /** The address already typed on the sign-in form. */
  email: string;
  onSent: (sent: { message: string; email: string }) => void;
};

/** Asks for a link to choose a new password. */
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
        {t('users:forgotSend')}
      </Button>
    </form>
  );
}
