import { useState } from 'react';
import { messages as accountMessages } from '#features/users/contract.ts';
import { usePasswordMin } from '#features/users/web/new-password-fields.tsx';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { focusHeading } from '#web/ui/focus-target.ts';
import { FormMessage } from '#web/ui/notice.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { SettingsSection } from '#web/ui/settings-section.tsx';
import { ChangePasswordInput, changedPasswordProblem, messages } from '../../contract.ts';
import { usePasswordChange } from '../../web/api.ts';

const EMPTY = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** The Change Password section. Closing the dialog clears the fields, because a password should not stay in a closed dialog. */
export function PasswordSection({ email }: { email: string }) {
  const { say, t } = useTranslation();
  const min = usePasswordMin();
  const changePassword = usePasswordChange();
  const [isShown, setIsShown] = useState(false);
  const [changed, setChanged] = useState<string>();
  const form = useForm({
    schema: ChangePasswordInput,
    initial: EMPTY,
    check: ({ newPassword, confirmPassword }) => ({
      newPassword: changedPasswordProblem(newPassword, min),
      confirmPassword: newPassword === confirmPassword ? undefined : messages.newPasswordsDiffer,
    }),
    send: async (input) => {
      const { message } = await changePassword(input);
      setChanged(message);
      setIsShown(false);
      form.clear(EMPTY);
    },
  });
  const isTyped = Object.values(form.values).some((value) => value !== '');
  return (
    <SettingsSection title={t('auth:changePasswordTitle')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          setChanged(undefined);
          void form.onSubmit(event);
        }}
      >
        <p className="text-dense text-soft">{t('auth:changePasswordHelp')}</p>
        {/* Tells a password manager which account the password belongs to. */}
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          {...form.field('currentPassword')}
          label={t('auth:currentPassword')}
          autoComplete="current-password"
          isShown={isShown}
          toggle={{ label: t('users:showPasswords'), onToggle: () => setIsShown(!isShown) }}
        />
        <PasswordField
          {...form.field('newPassword')}
          label={t('users:newPassword')}
          hint={say(accountMessages.passwordHint(min))}
          autoComplete="new-password"
          isShown={isShown}
        />
        <PasswordField
          {...form.field('confirmPassword')}
          label={t('auth:confirmNewPassword')}
          autoComplete="new-password"
          isShown={isShown}
        />
        <FormMessage message={form.message} summary={form.summary} success={isTyped ? undefined : changed} />
        {changed !== undefined && !isTyped && (
          // The focused button is gone, so this takes the focus.
          <p ref={focusHeading} tabIndex={-1} className="outline-none">
            {t('auth:othersSignedOut')}
          </p>
        )}
        {isTyped && (
          <DialogActions>
            <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('users:saving')}>
              {t('auth:changePassword')}
            </Button>
          </DialogActions>
        )}
      </form>
    </SettingsSection>
  );
}
