import { Keyboard, Lightbulb, LogOut, Settings as SettingsIcon, ShieldCheck } from 'lucide-react';
import { type PublicSchool, messages as schoolMessages } from '#features/schools/contract.ts';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { Id } from '#shared/id.ts';
import { selectSchool } from '#web/api/session.ts';
import { useLeaveArea } from '#web/forms/unsaved-changes.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, IconButton } from '#web/ui/button.tsx';
import { DistrictLogo, Logo } from '#web/ui/logo.tsx';
import { Menu, type MenuAction } from '#web/ui/menu.tsx';
import { InlineSelect } from '#web/ui/select.tsx';

type HeaderProps = {
  /** Its logo is the fallback for a school without one. */
  district: Pick<District, 'districtName' | 'logo'>;
  firstName: string;
  /** Undefined while the schools are loading. */
  schools: readonly PublicSchool[] | undefined;
  school: PublicSchool | undefined;
  onSchool: (id: Id) => void;
  /** The actions: text buttons on a desktop, one menu on a phone. */
  actions: readonly MenuAction[];
  onShortcuts: () => void;
};

/** The header: the user's name, the school, and actions. */
export function Header({
  district,
  firstName,
  schools,
  school,
  onSchool,
  actions,
  onShortcuts,
}: HeaderProps) {
  const { t } = useTranslation();
  // The school select is as tall as a touch target and shrinks before the name does.
  const hasChoice = schools !== undefined && schools.length > 1;
  return (
    <header className="border-b border-line bg-card print:hidden">
      <div className="mx-auto flex min-h-16 w-full max-w-288 flex-wrap items-center gap-x-3 px-4 py-2 lg:min-h-18">
        {school?.logoUrl == null ? <DistrictLogo district={district} /> : <Logo src={school.logoUrl} />}
        {/* With large text the actions wrap to their own line. */}
        <div className="flex min-w-0 grow basis-32 flex-col wrap-anywhere">
          <h1 className="leading-6 font-semibold lg:text-lg">{t('district-settings:title')}</h1>
          <p
            className={`text-sm text-soft ${hasChoice ? '-my-3 flex min-h-11 min-w-0 flex-wrap items-center gap-x-1.5' : 'min-h-5'}`}
          >
            {schools?.length !== 0 && (
              <span className={hasChoice ? 'flex max-w-max min-w-0 grow basis-16 items-center gap-1.5' : ''}>
                <SchoolName schools={schools} school={school} onSchool={onSchool} />
                <span aria-hidden="true"> · </span>
              </span>
            )}
            <span>{firstName}</span>
          </p>
        </div>
        <div className="-mr-3 hidden items-center gap-1 md:flex">
          <span className="hidden lg:pointer-fine:block">
            <IconButton
              label={t('web:shortcuts')}
              icon={<Keyboard aria-hidden="true" className="size-5" />}
              onPress={onShortcuts}
            />
          </span>
          {actions.map(({ key, title, icon, onPress }) => (
            <Button key={key} kind="plain" icon={icon} onPress={onPress}>
              {title}
            </Button>
          ))}
        </div>
        <div className="-mr-2 ml-auto md:hidden">
          <Menu label={t('web:menu')} actions={actions} />
        </div>
      </div>
    </header>
  );
}

function SchoolName({ schools, school, onSchool }: Pick<HeaderProps, 'schools' | 'school' | 'onSchool'>) {
  const { say } = useTranslation();
  if (schools === undefined || school === undefined) return <span>{say(schoolMessages.loading)}</span>;
  if (schools.length === 1) return <span>{school.name}</span>;
  return (
    <InlineSelect
      label={say(schoolMessages.header)}
      value={String(school.id)}
      onChange={(value) => onSchool(Number(value))}
      choices={schools.map(({ id, name }) => ({ value: String(id), text: name }))}
    />
  );
}

type DashboardHeaderProps = Omit<HeaderProps, 'onSchool' | 'actions'> & {
  onSuggest: () => void;
  onSettings: () => void;
  /** Undefined for volunteers. */
  onAdmin: (() => void) | undefined;
  onLogout: () => void;
};

/** The header of the dashboard, with this user's actions. */
export function DashboardHeader(props: DashboardHeaderProps) {
  const { onSuggest, onSettings, onAdmin, onLogout, ...header } = props;
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
    title: t('auth:logout'),
    icon: <LogOut aria-hidden="true" className="size-5" />,
    onPress: onLogout,
  };
  const canSuggest = header.school !== undefined;
  return (
    <Header
      {...header}
      onSchool={(id) => leave(() => selectSchool(id))}
      actions={[...(canSuggest ? [suggest] : []), settings, ...(admin ? [admin] : []), logout]}
    />
  );
}
