import type { ReactNode } from 'react';
import type { District } from '#features/schools/district-settings/contract.ts';
import { dayIn, formatDay, formatMoment } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { SettingsSection } from '#web/ui/settings-section.tsx';
import type { User } from '../contract.ts';

type AccountSectionProps = {
  user: User;
  district: District;
  /** The formatted roles at schools. */
  roles?: ReactNode;
  /** Settings that apply to this device only and are not stored with the account. */
  children: ReactNode;
  /** The account's sessions and sign-in methods, and actions for the user's own data. */
  ownData: ReactNode;
};

/** The Account Information section: role, sessions, and what happens to the user's data. */
export function AccountSection({ user, district, roles, children, ownData }: AccountSectionProps) {
  const { t, language } = useTranslation();
  const zone = district.timeZone;
  return (
    <SettingsSection title={t('users:accountTitle')}>
      <dl className="flex flex-col gap-1">
        <Fact name={t('users:role')}>
          {roles ?? t(user.role === 'admin' ? 'users:roleAdmin' : 'users:roleUser')}
        </Fact>
        <Fact name={t('users:memberSince')}>{formatDay(dayIn(zone, user.createdAt), language)}</Fact>
        {user.lastLogin !== null && (
          <Fact name={t('users:lastLogin')}>{formatMoment(user.lastLogin, language, zone)}</Fact>
        )}
      </dl>
      {children}
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
