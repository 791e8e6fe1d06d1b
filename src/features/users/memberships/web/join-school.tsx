import { useMutation } from '@tanstack/react-query';
import { CardPage, CardTitle } from '#features/schools/district-settings/web/card-page.tsx';
import type { Id } from '#shared/id.ts';
import { failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { notify } from '#web/ui/toasts.ts';
import { emailKey, messages } from '../../contract.ts';
import { InviteProblem, named } from '../../registration/web/invited-registration.tsx';
import { useInvite, useProfile, useProfileUpdate } from '../../web/api.ts';

type JoinViewProps = { token: string; code: string; onDone: () => void };

/** The screen for an invitation opened by a user with an account: adds the invitation's schools. */
export function JoinView({ token, code, onDone }: JoinViewProps) {
  const { say, t, language } = useTranslation();
  const invite = useInvite(code);
  const profile = useProfile(token);
  const updateProfile = useProfileUpdate();
  const join = useMutation({
    mutationFn: (schoolIds: Id[]) => updateProfile({ schoolIds, inviteCode: code }),
    onSuccess: ({ message }) => {
      notify.success(message);
      onDone();
    },
  });
  const failed = [invite, profile].find((query) => query.isError && !query.isFetching);

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
  const problem = join.isError ? failureText(join.error) : undefined;
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
            onPress={() => join.mutate([...all])}
            isBusy={join.isPending}
            busyText={t('users:joining')}
          >
            {t('users:join')}
          </Button>
        )}
      </section>
    </CardPage>
  );
}
