import { CircleCheck, Link2Off } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useDistrict } from '#rooms/district/web/api.ts';
import { messages } from '#rooms/users/contract.ts';
import { useResetLink } from '#rooms/users/web/api.ts';
import { ResetPasswordForm } from '#rooms/users/web/reset-password-form.tsx';
import { CallError, failureText } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { CardPage } from './card-page.tsx';

/** A new password by a link that was mailed or printed: verifying, the form, success, or what is wrong with the link. */
export function ResetPasswordView({ token, onBack }: { token: string; onBack: () => void }) {
  const { say, t } = useText();
  const [done, setDone] = useState<string>();
  const link = useResetLink(token);
  const supportEmail = useDistrict().data?.supportEmail;
  const back = (
    <Button kind="primary" isWide onPress={onBack}>
      {t('users:backToSignIn')}
    </Button>
  );

  if (done !== undefined) {
    return (
      <CardPage>
        <State icon={<CircleCheck className="size-12 text-brand" />} title={t('users:resetDoneTitle')}>
          <p role="status">{done}</p>
        </State>
        {back}
      </CardPage>
    );
  }
  if (token === '' || (link.isError && !link.isFetching)) {
    const isUnsure = link.error instanceof CallError && !isRefused(link.error);
    return (
      <CardPage>
        <State icon={<Link2Off className="size-12 text-danger" />} title={t('users:resetInvalidTitle')}>
          <p role="alert" className="font-medium">
            {token === ''
              ? say(messages.noResetToken)
              : linkProblem(link.error, say(messages.failedToVerifyToken))}
          </p>
          {supportEmail !== undefined && !isUnsure && (
            <p className="text-soft">{t('users:resetInvalidHelp', { email: supportEmail })}</p>
          )}
        </State>
        <div className="flex flex-col gap-2">
          {isUnsure && (
            <Button isWide onPress={() => link.refetch()}>
              {t('web:tryAgain')}
            </Button>
          )}
          {back}
        </div>
      </CardPage>
    );
  }
  return (
    <CardPage links={<LinkButton onPress={onBack}>{t('users:backToSignIn')}</LinkButton>}>
      {link.data === undefined ? (
        <p role="status" className="flex min-h-40 items-center justify-center gap-3 text-soft">
          <Spinner />
          {t('users:checkingLink')}
        </p>
      ) : (
        <section className="flex flex-col gap-4">
          <div>
            <h2 className="text-xl font-semibold">{t('users:resetTitle')}</h2>
            <p className="mt-1 wrap-anywhere text-soft">{t('users:resetGreeting', link.data)}</p>
          </div>
          <ResetPasswordForm token={token} email={link.data.email} onDone={setDone} />
        </section>
      )}
    </CardPage>
  );
}

function State({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) {
  return (
    <section className="flex min-h-40 flex-col items-center justify-center gap-3 text-center">
      <span aria-hidden="true">{icon}</span>
      <h2 className="text-xl font-semibold">{title}</h2>
      {children}
    </section>
  );
}

// Only a refusal says something about the link; without an answer nobody knows yet.
function isRefused(error: CallError): boolean {
  return error.status >= 400 && error.status < 500 && error.status !== 429;
}

function linkProblem(error: unknown, unsure: string): string {
  return error instanceof CallError && isRefused(error)
    ? failureText(error, messages.invalidResetToken)
    : unsure;
}
