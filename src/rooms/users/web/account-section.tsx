import { type ReactNode, useState } from 'react';
import { dayIn, formatDay, formatMoment } from '#base/calendar-date.ts';
import type { District } from '#rooms/district/contract.ts';
import { failureText, withReason } from '#web/lib/call.ts';
import { useText } from '#web/lib/text.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { ErrorBox, FormMessage } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import type { Session, User } from '../contract.ts';
import { useSessions, useSignOutOthers } from './api.ts';
import { SettingsSection } from './settings-section.tsx';

type AccountSectionProps = {
  user: User;
  district: District;
  /** Settings that apply to this device only and are not stored with the account. */
  children: ReactNode;
  /** Actions for the data stored about this person. */
  ownData: ReactNode;
};

/** Account Information: role, sessions, and what happens to one's data. */
export function AccountSection({ user, district, children, ownData }: AccountSectionProps) {
  const { t, language } = useText();
  const zone = district.timeZone;
  return (
    <SettingsSection title={t('users:accountTitle')}>
      <dl className="flex flex-col gap-1">
        <Fact name={t('users:role')}>{t(user.role === 'admin' ? 'users:roleAdmin' : 'users:roleUser')}</Fact>
        <Fact name={t('users:memberSince')}>{formatDay(dayIn(zone, user.createdAt), language)}</Fact>
        {user.lastLogin !== null && (
          <Fact name={t('users:lastLogin')}>{formatMoment(user.lastLogin, language, zone)}</Fact>
        )}
      </dl>
      {children}
      <Sessions zone={zone} />
      {ownData}
    </SettingsSection>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt className="text-soft">{name}</dt>
      <dd className="font-medium">{children}</dd>
    </div>
  );
}

function Sessions({ zone }: { zone: string }) {
  const { t } = useText();
  const sessions = useSessions();
  const signOut = useSignOutOthers();
  const [done, setDone] = useState<string>();
  async function signOutOthers() {
    setDone(undefined);
    try {
      setDone((await signOut.mutateAsync()).message);
    } catch {
      // The section shows the mutation's own error.
    }
  }
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('users:sessionsTitle')}</h4>
      {sessions.data === undefined && !sessions.isError && <SkeletonRows rows={2} />}
      {sessions.data === undefined && sessions.isError && (
        <ErrorBox
          {...withReason(t('users:failedToLoadSessions'), sessions.error)}
          onRetry={() => sessions.refetch()}
          isRetrying={sessions.isFetching}
        />
      )}
      {sessions.data !== undefined && (
        <ul className="divide-y divide-line rounded-xl border border-line">
          {sessions.data.map((session) => (
            <SessionRow key={session.id} session={session} zone={zone} />
          ))}
        </ul>
      )}
      <FormMessage message={signOut.isError ? failureText(signOut.error) : undefined} success={done} />
      {sessions.data?.some(({ current }) => !current) && (
        <div>
          <Button onPress={() => void signOutOthers()} isBusy={signOut.isPending}>
            {t('users:signOutOthers')}
          </Button>
        </div>
      )}
    </div>
  );
}

function SessionRow({ session, zone }: { session: Session; zone: string }) {
  const { t, language } = useText();
  const { device, current, createdAt, lastUsedAt } = session;
  return (
    <li className="flex flex-col px-4 py-2">
      <span className="flex flex-wrap items-center gap-2 font-medium">
        {device}
        {current && <Badge tone="brand">{t('users:thisDevice')}</Badge>}
      </span>
      <span className="text-sm text-soft">
        {current
          ? t('users:signedInAt', { when: formatMoment(createdAt, language, zone) })
          : t('users:lastUsedAt', { when: formatMoment(lastUsedAt, language, zone) })}
      </span>
    </li>
  );
}
