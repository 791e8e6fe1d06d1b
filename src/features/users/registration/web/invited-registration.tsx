import { Link2Off } from 'lucide-react';
import { CardOutcome, CardPage, CardSection } from '#features/schools/district-settings/web/card-page.tsx';
import { failureText, isRejected } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { messages } from '../../contract.ts';
import { useInvite } from '../../web/api.ts';
import { type Invitation, RegisterForm, useRegisterForm } from './registration-form.tsx';

export type InvitedRegistrationProps = {
  code: string;
  /** Called when the invitation was used or turned out invalid. */
  onInviteDone: (() => void) | undefined;
  onMailed: (message: string) => void;
  onBack: () => void;
};

/** The registration form for a person invited by email. */
export function InvitedRegistration({ code, onBack, onInviteDone, onMailed }: InvitedRegistrationProps) {
  const { t } = useTranslation();
  const invite = useInvite(code);
  if (invite.isError && !invite.isFetching) {
    const leave = () => {
      if (isRejected(invite.error)) onInviteDone?.();
      onBack();
    };
    return (
      <InviteProblem
        error={invite.error}
        onRetry={() => void invite.refetch()}
        onBack={leave}
        backText={t('users:backToSignIn')}
      />
    );
  }
  return (
    <CardPage links={<LinkButton onPress={onBack}>{t('users:toSignIn')}</LinkButton>}>
      {invite.data === undefined ? (
        <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-soft">
          <Spinner />
          {t('users:checkingInvite')}
        </p>
      ) : (
        <InvitedForm invitation={{ code, ...invite.data }} onInviteDone={onInviteDone} onMailed={onMailed} />
      )}
    </CardPage>
  );
}

type InvitedFormProps = Omit<InvitedRegistrationProps, 'code' | 'onBack'> & { invitation: Invitation };

function InvitedForm({ invitation, onInviteDone, onMailed }: InvitedFormProps) {
  const { t, language } = useTranslation();
  const form = useRegisterForm({ invitation, onMailed, onMade: onInviteDone });
  const schools = named(invitation.schools, language);
  return (
    <CardSection title={t('users:registerTitle')} help={t('users:inviteFor', { schools })}>
      <RegisterForm form={form} invitation={invitation} />
    </CardSection>
  );
}

type InviteProblemProps = { error: unknown; onRetry: () => void; onBack: () => void; backText: string };

/** Explains what is wrong with an invitation, with buttons to continue. */
export function InviteProblem({ error, onRetry, onBack, backText }: InviteProblemProps) {
  const { t } = useTranslation();
  const isRefused = isRejected(error);
  return (
    <CardPage>
      <CardOutcome icon={<Link2Off className="size-8" />} isBad title={t('users:joinTitle')}>
        <p className="font-medium">
          {isRefused ? failureText(error, messages.wrongInvite) : t('users:inviteFailed')}
        </p>
      </CardOutcome>
      <div className="flex flex-col gap-2">
        {!isRefused && (
          <Button isWide onPress={onRetry}>
            {t('web:tryAgain')}
          </Button>
        )}
        <Button kind="primary" isWide onPress={onBack}>
          {backText}
        </Button>
      </div>
    </CardPage>
  );
}

/** Joins names for a sentence: 'Lincoln and Cedar'. */
export function named(things: readonly { name: string }[], language: string): string {
  return new Intl.ListFormat(language).format(things.map(({ name }) => name));
}
