import { CardPage, CardSection } from '#features/schools/district-settings/web/card-page.tsx';
import type { Message } from '#shared/i18n/message.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { LinkButton } from '#web/ui/button.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { ForgotInput } from '../contract.ts';

export type SentLink = Readonly<{ message: string; email: string }>;

type EmailLinkRequestProps = {
  title: string;
  help: string;
  sendText: string;
  failed: Message;
  /** The address already typed on the sign-in form. */
  email: string;
  send: (input: { email: string }) => Promise<{ message: string }>;
  onSent: (sent: SentLink) => void;
  onBack: () => void;
};

/** Requests an emailed link for an address, either to sign in or to set a new password. */
export function EmailLinkRequest({
  title,
  help,
  sendText,
  failed,
  email,
  send,
  onSent,
  onBack,
}: EmailLinkRequestProps) {
  const { t } = useTranslation();
  const form = useForm({
    schema: ForgotInput,
    initial: { email },
    send: async (input) => onSent({ ...(await send(input)), email: input.email }),
    failed,
    whenLeft: 'no loss',
  });
  return (
    <CardPage links={<LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>}>
      <CardSection title={title} help={help}>
        <PageForm form={form} send={{ text: sendText, busyText: t('users:sending') }} isWide>
          <TextField
            {...form.field('email')}
            label={t('users:email')}
            type="email"
            autoComplete="username"
            isRequired
          />
        </PageForm>
      </CardSection>
    </CardPage>
  );
}
