import { useState } from 'react';
import { useText } from '#web/lib/text.ts';
import type { FieldBinding } from '#web/lib/use-form.ts';
import { messages } from '../contract.ts';
import { usePasswordMin } from './new-password.ts';
import { PasswordField } from './password-field.tsx';

type NewPasswordFieldsProps = {
  label: string;
  password: FieldBinding<string>;
  confirmation: FieldBinding<string>;
};

/** A new password, typed twice. */
export function NewPasswordFields({ label, password, confirmation }: NewPasswordFieldsProps) {
  const { say, t } = useText();
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
