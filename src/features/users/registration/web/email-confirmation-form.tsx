import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { useForm } from '#web/forms/use-form.ts';
import { ownLanguage } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { ConfirmInput, messages, passwordProblem, type Registration } from '../../contract.ts';
import { finishRegistration } from '../../web/api.ts';
import { NameFields } from '../../web/name-fields.tsx';
import { NewPasswordFields } from '../../web/new-password-fields.tsx';
import { newPasswordProblems, usePasswordMin } from '../../web/new-password-rules.ts';

type ConfirmFormProps = { token: string; registration: Registration; onDone: (message: string) => void };

/** Sets the password of a new account, chosen by the person who opens the mailed link; the names can be corrected. */
export function ConfirmForm({ token, registration, onDone }: ConfirmFormProps) {
  const { t } = useTranslation();
  const min = usePasswordMin();
  const { data: district } = useDistrict();
  const { email, firstName, lastName } = registration;
  const form = useForm({
    schema: ConfirmInput,
    initial: { token, newPassword: '', confirmPassword: '', firstName, lastName },
    check: ({ newPassword, confirmPassword }) => ({
      newPassword: passwordProblem(newPassword, min),
      confirmPassword: newPasswordProblems(newPassword, confirmPassword, min).confirmation,
    }),
    send: async (input) =>
      onDone(await finishRegistration({ ...input, ...ownLanguage(district?.languages) })),
    failed: messages.failedToConfirm,
  });
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
      {/* Tells a password manager which account the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        label={t('users:password')}
        password={form.field('newPassword')}
        confirmation={form.field('confirmPassword')}
      />
      <NameFields field={form.field} isOwn />
      <FormMessage message={form.message} summary={form.summary} />
      <Button kind="primary" type="submit" isWide isBusy={form.isSending} busyText={t('users:saving')}>
        {t('users:confirmSave')}
      </Button>
    </form>
  );
}
