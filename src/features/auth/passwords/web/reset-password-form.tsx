import { messages, passwordProblem, ResetInput } from '#features/users/contract.ts';
import { setNewPassword } from '#features/users/web/api.ts';
import { NewPasswordFields } from '#features/users/web/new-password-fields.tsx';
import { newPasswordProblems, usePasswordMin } from '#features/users/web/new-password-rules.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';

type ResetPasswordFormProps = {
  token: string;
  email: string;
  /** Called with what the server says, and the password that is set now. */
  onDone: (message: string, password: string) => void;
};

/** Sets a new password, typed twice, for the account of a reset link. */
export function ResetPasswordForm({ token, email, onDone }: ResetPasswordFormProps) {
  const { t } = useTranslation();
  const min = usePasswordMin();
  const form = useForm({
    schema: ResetInput,
    initial: { token, newPassword: '', confirmPassword: '' },
    check: ({ newPassword, confirmPassword }) => ({
      newPassword: passwordProblem(newPassword, min),
      confirmPassword: newPasswordProblems(newPassword, confirmPassword, min).confirmation,
    }),
    send: async (input) => onDone((await setNewPassword(input)).message, input.newPassword),
    failed: messages.failedToReset,
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {/* Tells a password manager which account the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        label={t('users:newPassword')}
        password={form.field('newPassword')}
        confirmation={form.field('confirmPassword')}
      />
      <FormMessage message={form.message} summary={form.summary} />
      <Button kind="primary" type="submit" isWide isBusy={form.isSending} busyText={t('users:saving')}>
        {t('users:resetSave')}
      </Button>
    </form>
  );
}
