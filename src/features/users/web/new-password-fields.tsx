import { useState } from 'react';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { messages, passwordProblem } from '../contract.ts';

// Specification section 9. Replaced by the district's setting once it has loaded; the server enforces that in any case.
const SPECIFIED_MIN = 6;

/** The minimum length of a new password in this district. */
export function usePasswordMin(): number {
  return useDistrict().data?.passwordMinLength ?? SPECIFIED_MIN;
}

/** Validates a new password and its confirmation. */
export function newPasswordProblems(newPassword: string, confirmPassword: string, min: number) {
  return {
    newPassword: passwordProblem(newPassword, min),
    confirmPassword: newPassword === confirmPassword ? undefined : messages.passwordsDiffer,
  };
}

type NewPasswordFieldsProps = {
  label: string;
  password: FieldBinding<string>;
  confirmation: FieldBinding<string>;
};

/** A new password, typed twice. */
export function NewPasswordFields({ label, password, confirmation }: NewPasswordFieldsProps) {
  const { say, t } = useTranslation();
  const min = usePasswordMin();
  const [isShown, setIsShown] = useState(false);
  return (
    <>
      <PasswordField
        {...password}
        label={label}
        hint={say(messages.passwordHint(min))}
        autoComplete="new-password"
        isShown={isShown}
        toggle={{ label: t('users:showPasswords'), onToggle: () => setIsShown(!isShown) }}
      />
      <PasswordField
        {...confirmation}
        label={t('users:confirmPassword')}
        autoComplete="new-password"
        isShown={isShown}
      />
    </>
  );
}
