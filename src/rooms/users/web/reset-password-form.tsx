import { useText } from '#web/lib/text.ts';
import { useForm } from '#web/lib/use-form.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { messages, passwordProblem, ResetInput } from '../contract.ts';
import { setNewPassword } from './api.ts';
import { newPasswordProblems, usePasswordMin } from './new-password.ts';
import { NewPasswordFields } from './new-password-fields.tsx';

type ResetPasswordFormProps = {
  token: string;
  email: string;
  /** Called with what the server says, and the password that is set now. */
  onDone: (message: string, password: string) => void;
};

/** Sets a new password, typed twice, for the account of a reset link. */
export function ResetPasswordForm({ token, email, onDone }: ResetPasswordFormProps) {
  const { t } = useText();
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
