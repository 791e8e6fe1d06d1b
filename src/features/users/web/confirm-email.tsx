import { Check, Link2Off } from 'lucide-react';
import { useState } from 'react';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { CardOutcome, CardPage, CardSection } from '#features/schools/district-settings/web/card-page.tsx';
import { failureText, isRejected } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { ownLanguage } from '#web/i18n/language.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { ConfirmInput, messages, type Registration } from '../contract.ts';
import { finishRegistration, useConfirmedEmail } from './api.ts';
import { NameFields } from './name-fields.tsx';
import { NewPasswordFields, newPasswordProblems, usePasswordMin } from './new-password-fields.tsx';

type ConfirmFormProps = { token: string; registration: Registration; onDone: (message: string) => void };

/** Sets the password of a new account, chosen by the recipient of the emailed link. The names can be corrected. */
export function ConfirmForm({ token, registration, onDone }: ConfirmFormProps) {
  const { t } = useTranslation();
  const min = usePasswordMin();
  const { data: district } = useDistrict();
  const { email, firstName, lastName } = registration;
  const form = useForm({
    schema: ConfirmInput,
    initial: { token, newPassword: '', confirmPassword: '', firstName, lastName },
    check: ({ newPassword, confirmPassword }) => newPasswordProblems(newPassword, confirmPassword, min),
    send: async (input) =>
      onDone(await finishRegistration({ ...input, ...ownLanguage(district?.languages) })),
    failed: messages.failedToConfirm,
  });
  return (
    <PageForm form={form} send={{ text: t('users:confirmSave'), busyText: t('users:saving') }} isWide>
      {/* Tells a password manager which account the password belongs to. */}
      <input type="email" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        label={t('users:password')}
        password={form.field('newPassword')}
        confirmation={form.field('confirmPassword')}
      />
      <NameFields field={form.field} isOwn />
    </PageForm>
  );
}

type ConfirmEmailViewProps = { token: string; isSignedIn: boolean; onBack: () => void };

/** Confirms an email address through the link emailed to it. For a new account, the password is chosen here. */
export function ConfirmEmailView({ token, isSignedIn, onBack }: ConfirmEmailViewProps) {
  const { t } = useTranslation();
  const confirmed = useConfirmedEmail(token);
  const [made, setMade] = useState<string>();
  const hasFailed = confirmed.isError && !confirmed.isFetching;
  const isRefused = isRejected(confirmed.error);
  const { data } = confirmed;
  const done = made ?? (data !== undefined && 'message' in data ? data.message : undefined);
  if (done === undefined && data !== undefined && 'registration' in data) {
    return (
      <CardPage links={<LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>}>
        <CardSection
          title={t('users:confirmPasswordTitle')}
          help={t('users:confirmPasswordHelp', { email: data.registration.email })}
        >
          <ConfirmForm token={token} registration={data.registration} onDone={setMade} />
        </CardSection>
      </CardPage>
    );
  }
  return (
    <CardPage>
      {done !== undefined && (
        <CardOutcome icon={<Check className="size-8" />} title={t('users:confirmedTitle')}>
          <p>{done}</p>
        </CardOutcome>
      )}
      {done === undefined && !hasFailed && (
        <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-soft">
          <Spinner />
          {t('users:confirming')}
        </p>
      )}
      {hasFailed && (
        <CardOutcome icon={<Link2Off className="size-8" />} isBad title={t('users:confirmInvalidTitle')}>
          <p className="font-medium">
            {isRefused
              ? failureText(confirmed.error, messages.invalidConfirmation)
              : t('users:confirmFailed')}
          </p>
          {isRefused && <p className="text-soft">{t('users:confirmInvalidHelp')}</p>}
        </CardOutcome>
      )}
      <div className="flex flex-col gap-2">
        {hasFailed && !isRefused && (
          <Button isWide onPress={() => confirmed.refetch()}>
            {t('web:tryAgain')}
          </Button>
        )}
        <Button kind="primary" isWide onPress={onBack}>
          {t(isSignedIn ? 'users:goOn' : 'users:backToSignIn')}
        </Button>
      </div>
    </CardPage>
  );
}
