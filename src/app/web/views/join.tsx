import { useState } from 'react';
import { emailKey, messages } from '#rooms/users/contract.ts';
import { useInvite, useOwnAccount, useProfile } from '#rooms/users/web/api.ts';
import { failureText } from '#web/lib/call.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { CardPage, CardTitle } from './card-page.tsx';
import { InviteProblem, named } from './invited-registration.tsx';

type JoinViewProps = { token: string; code: string; onDone: () => void };

/** An invitation opened by somebody who has an account: adds the schools it names. */
export function JoinView({ token, code, onDone }: JoinViewProps) {
  const { say, t, language } = useText();
  const invite = useInvite(code);
  const profile = useProfile(token);
  const account = useOwnAccount();
  const [isSending, setIsSending] = useState(false);
  const [problem, setProblem] = useState<string>();
  const failed = [invite, profile].find((query) => query.isError && !query.isFetching);

  async function join(schoolIds: number[]) {
    setIsSending(true);
    setProblem(undefined);
    try {
      const { message } = await account.update({ schoolIds, inviteCode: code });
      notify.success(message);
      onDone();
    } catch (error) {
      setProblem(failureText(error));
      setIsSending(false);
    }
  }

  if (failed !== undefined) {
    return (
      <InviteProblem
        error={failed.error}
        onRetry={() => void failed.refetch()}
        onBack={onDone}
        backText={t('users:goOn')}
      />
    );
  }
  if (invite.data === undefined || profile.data === undefined) {
    return (
      <CardPage>
        <SkeletonRows rows={3} />
      </CardPage>
    );
  }
  const { email, schools, pendingSchools } = profile.data;
  const isForAnother = emailKey(invite.data.email) !== emailKey(email);
  const all = new Set([...schools, ...pendingSchools, ...invite.data.schools].map(({ id }) => id));
  return (
    <CardPage
      isFixed
      links={<LinkButton onPress={onDone}>{t(isForAnother ? 'users:goOn' : 'users:notNow')}</LinkButton>}
    >
      <section className="flex flex-col gap-4">
        <div className="wrap-anywhere">
          <CardTitle>{t('users:joinTitle')}</CardTitle>
          <p className="mt-1">{t('users:inviteFor', { schools: named(invite.data.schools, language) })}</p>
          <p className="text-soft">{t('users:joinAs', { email })}</p>
        </div>
        <FormMessage message={isForAnother ? say(messages.inviteForAnother) : problem} />
        {!isForAnother && (
          <Button
            kind="primary"
            isWide
            onPress={() => void join([...all])}
            isBusy={isSending}
            busyText={t('users:joining')}
          >
            {t('users:join')}
          </Button>
        )}
      </section>
    </CardPage>
  );
}
