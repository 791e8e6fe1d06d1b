import { useState } from 'react';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { PageForm } from '#web/ui/page-form.tsx';
import { PasswordField } from '#web/ui/password-field.tsx';
import { messages } from '../../contract.ts';
import { LinkInput } from '../contract.ts';
import { useLinking } from './api.ts';

type ProviderLinkFormProps = {
  challenge: string;
  onSignedIn: () => void;
  /** Called with the challenge of an account with a second factor. */
  onAsked: (challenge: string) => void;
};

/** Requests the password of the account with the same email address as the provider account. */
export function ProviderLinkForm({ challenge, onSignedIn, onAsked }: ProviderLinkFormProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(false);
  const link = useLinking();
  const form = useForm({
    schema: LinkInput,
    initial: { challenge, password: '' },
    send: async (input) => {
      const asked = await link(input);
      if (asked === undefined) onSignedIn();
      else onAsked(asked);
    },
    failed: messages.loginFailed,
    whenLeft: 'no loss',
  });
  return (
    <PageForm form={form} send={{ text: t('auth:providerLink'), busyText: t('auth:signingIn') }} isWide>
      <PasswordField
        {...form.field('password')}
        label={t('users:password')}
        autoComplete="current-password"
        isShown={isShown}
        toggle={{ label: t('auth:showPassword'), onToggle: () => setIsShown(!isShown) }}
      />
    </PageForm>
  );
}
