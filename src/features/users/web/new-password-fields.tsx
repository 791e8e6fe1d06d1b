import { useState } from 'react';
import type { FieldBinding } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PasswordField } from '#web/ui/password-field.tsx';
import { messages } from '../contract.ts';
import { usePasswordMin } from './new-password-rules.ts';

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
