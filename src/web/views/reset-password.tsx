import { Check, Link2Off } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { messages } from '#rooms/users/contract.ts';
import { useResetLink } from '#rooms/users/web/api.ts';
import { ResetPasswordForm } from '#rooms/users/web/reset-password-form.tsx';
import { CallError, failureText } from '#web/lib/call.ts';
import { dropToken } from '#web/lib/session.ts';
import { useText } from '#web/lib/text.ts';
import { Button, LinkButton, Spinner } from '#web/ui/button.tsx';
import { CardPage, focusOn } from './card-page.tsx';

/** A new password by a link that was mailed or printed: verifying, the form, success, or what is wrong with the link. */
export function ResetPasswordView({ token, onBack }: { token: string; onBack: () => void }) {
  const { say, t } = useText();
  const [done, setDone] = useState<string>();
  const link = useResetLink(token);
  function finish(message: string) {
    // The server has ended every session of this account: whoever goes back signs in anew.
    dropToken();
    setDone(message);
  }
  const back = (
    <Button kind="primary" isWide onPress={onBack}>
      {t('users:backToSignIn')}
    </Button>
  );

  if (done !== undefined) {
    return (
      <CardPage>
        <State icon={<Check className="size-8" />} title={t('users:resetDoneTitle')}>
          <p>{done}</p>
        </State>
        {back}
      </CardPage>
    );
  }
  if (token === '' || (link.isError && !link.isFetching)) {
    const isUnsure = link.error instanceof CallError && !isRefused(link.error);
    return (
      <CardPage>
        <State icon={<Link2Off className="size-8" />} isBad title={t('users:resetInvalidTitle')}>
          <p className="font-medium">
            {token === ''
              ? say(messages.noResetToken)
              : linkProblem(link.error, say(messages.failedToVerifyToken))}
          </p>
          {!isUnsure && <p className="text-soft">{t('users:resetInvalidHelp')}</p>}
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
          <ResetPasswordForm token={token} email={link.data.email} onDone={finish} />
        </section>
      )}
    </CardPage>
  );
}

type StateProps = { icon: ReactNode; isBad?: boolean; title: string; children: ReactNode };

function State({ icon, isBad = false, title, children }: StateProps) {
  return (
    <section className="flex min-h-40 flex-col items-center justify-center gap-3 text-center text-balance">
      <span
        aria-hidden="true"
        className={`flex size-16 items-center justify-center rounded-full ${isBad ? 'bg-danger-wash text-danger' : 'bg-wash text-brand'}`}
      >
        {icon}
      </span>
      {/* What had the focus is gone; from here the state is read out. */}
      <h2 ref={focusOn} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
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
