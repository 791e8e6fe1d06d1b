import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { formatMoment } from '#shared/calendar-date.ts';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import type { Session } from '../contract.ts';
import { listSessions, signOutOf, signOutOthers } from '../contract.ts';

/** The account's sessions and their sign-in methods, each with a button to sign out. */
export function Sessions({ zone }: { zone: string }) {
  const { t } = useTranslation();
  const sessions = useSessions();
  const signOut = useSignOutElsewhere();
  const isEnding = (id: number | undefined) => signOut.isPending && signOut.variables === id;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('auth:sessionsTitle')}</h4>
      <QueryPlaceholder text={t('auth:failedToLoadSessions')} query={sessions} rows={2} />
      {sessions.data !== undefined && (
        <ul className="divide-y divide-line rounded-xl border border-line">
          {sessions.data.toSorted(thisOneFirst).map((session) => (
            <SessionRow
              key={session.id}
              session={session}
              zone={zone}
              onEnd={() => signOut.mutate(session.id)}
              isEnding={isEnding(session.id)}
            />
          ))}
        </ul>
      )}
      <MutationMessage mutation={signOut} />
      {sessions.data?.some(({ current }) => !current) && (
        <div>
          <Button onPress={() => signOut.mutate(undefined)} isBusy={isEnding(undefined)}>
            {t('auth:signOutOthers')}
          </Button>
        </div>
      )}
    </div>
  );
}

function thisOneFirst(a: Session, b: Session): number {
  return Number(b.current) - Number(a.current);
}

type SessionRowProps = { session: Session; zone: string; onEnd: () => void; isEnding: boolean };

function SessionRow({ session, zone, onEnd, isEnding }: SessionRowProps) {
  const { t, language } = useTranslation();
  const { device, current, lastUsedAt } = session;
  const lastUsed = formatMoment(lastUsedAt, language, zone);
  const begun = useBeginning(session, zone);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1 px-4 py-2">
      <span className="flex min-w-0 flex-col">
        <span className="flex flex-wrap items-center gap-2 font-medium">
          {device}
          {current && <Badge tone="brand">{t('auth:thisDevice')}</Badge>}
        </span>
        <span className="text-sm text-soft">{begun}</span>
        {!current && <span className="text-sm text-soft">{t('auth:lastUsedAt', { when: lastUsed })}</span>}
      </span>
      {!current && (
        <Button label={t('auth:signOutOf', { device, when: lastUsed })} onPress={onEnd} isBusy={isEnding}>
          {t('auth:signOutOne')}
        </Button>
      )}
    </li>
  );
}

// Names no sign-in method if none was recorded.
function useBeginning({ signedInBy, provider, createdAt }: Session, zone: string): string {
  const { t, language } = useTranslation();
  const when = formatMoment(createdAt, language, zone);
  if (signedInBy === 'password') return t('auth:signedInByPassword', { when });
  if (signedInBy === 'passkey') return t('auth:signedInByPasskey', { when });
  if (signedInBy === 'link') return t('auth:signedInByLink', { when });
  if (signedInBy === 'provider') {
    return provider === null
      ? t('auth:signedInByOther', { when })
      : t('auth:signedInByProvider', { title: provider, when });
  }
  return t('auth:signedInAt', { when });
}

/** The account's sessions. */
function useSessions() {
  return useQuery({
    queryKey: ['sessions'],
    queryFn: () => call(listSessions).then((reply) => reply.sessions),
    staleTime: 0,
  });
}

/** Ends the session with the given ID or, without an ID, all other sessions. Refetches the list. */
function useSignOutElsewhere() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (id: number | undefined) =>
      id === undefined ? call(signOutOthers) : call(signOutOf, { params: { id } }),
    onSettled: () => client.invalidateQueries({ queryKey: ['sessions'] }),
  });
}
