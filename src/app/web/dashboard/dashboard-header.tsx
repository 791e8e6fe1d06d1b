import { Lightbulb, LogOut, Settings as SettingsIcon, ShieldCheck } from 'lucide-react';
import type { PublicSchool } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import { selectSchool } from '#web/api/session.ts';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import type { MenuAction } from '#web/ui/menu.tsx';
import { Header } from '../header.tsx';

type DashboardHeaderProps = {
  district: District;
  firstName: string;
  /** Undefined while the schools are loading. */
  schools: readonly PublicSchool[] | undefined;
  school: PublicSchool | undefined;
  onSuggest: () => void;
  onSettings: () => void;
  /** Undefined for volunteers. */
  onAdmin: (() => void) | undefined;
  onLogout: () => void;
  onShortcuts: () => void;
};

/** The header of the dashboard, with this person's actions. */
export function DashboardHeader(props: DashboardHeaderProps) {
  const { district, firstName, schools, school, onSuggest, onSettings, onAdmin, onLogout, onShortcuts } =
    props;
  const { t } = useTranslation();
  const leave = useLeaveArea();
  const suggest: MenuAction = {
    key: 'suggest',
    title: t('web:suggestActivity'),
    icon: <Lightbulb aria-hidden="true" className="size-5" />,
    onPress: onSuggest,
  };
  const settings: MenuAction = {
    key: 'settings',
    title: t('users:settings'),
    icon: <SettingsIcon aria-hidden="true" className="size-5" />,
    onPress: onSettings,
  };
  const admin: MenuAction | undefined = onAdmin && {
    key: 'admin',
    title: t('web:admin'),
    icon: <ShieldCheck aria-hidden="true" className="size-5" />,
    onPress: onAdmin,
  };
  const logout: MenuAction = {
    key: 'logout',
    title: t('users:logout'),
    icon: <LogOut aria-hidden="true" className="size-5" />,
    onPress: onLogout,
  };
  const canSuggest = school !== undefined;
  return (
    <Header
      district={district}
      firstName={firstName}
      schools={schools}
      school={school}
      onSchool={(id) => leave(() => selectSchool(id))}
      actions={[...(canSuggest ? [suggest] : []), settings, ...(admin ? [admin] : []), logout]}
      onShortcuts={onShortcuts}
    />
  );
}
