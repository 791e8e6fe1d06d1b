import { useState } from 'react';
import { SuggestionEmailPreferences } from '#features/activities/suggestions/web/suggestion-email-preferences.tsx';
import { PasswordSection } from '#features/auth/passwords/web/password-section.tsx';
import { Sessions } from '#features/auth/sessions/web/sessions.tsx';
import { AccountDeletion } from '#features/privacy/web/account-deletion.tsx';
import { DataExport } from '#features/privacy/web/data-export.tsx';
import type { District } from '#features/schools/district-settings/contract.ts';
import type { User } from '#features/users/contract.ts';
import { AccountSection } from '#features/users/web/account-section.tsx';
import { LanguageSelect } from '#features/users/web/language-select.tsx';
import { ProfileSection, useProfileForm } from '#features/users/web/profile-section.tsx';
import { permissionsOf } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { installer } from '#web/offline/install-prompt.ts';
import { Button } from '#web/ui/button.tsx';
import { CheckboxField } from '#web/ui/checkbox.tsx';
import { ChoiceButtons } from '#web/ui/choice-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '#web/ui/theme.ts';
import { notify } from '#web/ui/toasts.ts';
import { leaveWhenSettled } from '#web/ui/use-back-closes.ts';
import { StoredOnDevice } from '../offline/offline.tsx';

/** After a successful profile update the page reloads (specification section 4). */
const RELOAD_MS = 1_000;

export type SettingsProps = {
  user: User;
  district: District;
  isOpen: boolean;
  onClose: () => void;
  /** For an administrator: opens the Schools tab. */
  onAddSchool?: (() => void) | undefined;
  shortcuts: Readonly<{ isOn: boolean; toggle: (isOn: boolean) => void }>;
};

/** Account Settings: the profile, password and account sections in one scrolling dialog. */
export function SettingsDialog(props: SettingsProps) {
  const { user, district, isOpen, onClose, onAddSchool, shortcuts } = props;
  const { t } = useTranslation();
  const profile = useProfileForm(user, () => {
    setTimeout(() => void leaveWhenSettled(() => location.reload()), RELOAD_MS);
  });
  function close() {
    // Clicking outside the dialog loses nothing: typed text is still there when it opens again.
    if (profile.isChanged && profile.saved === undefined) notify.success(t('users:profileKept'));
    onClose();
  }
  return (
    <Dialog title={t('users:settingsTitle')} isOpen={isOpen} onClose={close}>
      <ProfileSection user={user} profile={profile} onAddSchool={onAddSchool} />
      <PasswordSection email={user.email} />
      <AccountSection
        user={user}
        district={district}
        roles={user.role === 'user' && user.grants.length > 0 ? <Roles user={user} /> : undefined}
        ownData={
          <>
            <Sessions zone={district.timeZone} />
            {district.hasProviders === true && <LinkedProviders zone={district.timeZone} />}
            <TwoFactorSection zone={district.timeZone} />
            <Passkeys zone={district.timeZone} />
            <DataExport />
            <AccountDeletion user={user} zone={district.timeZone} />
          </>
        }
      >
        {district.languages.length > 1 && <LanguageSelect user={user} languages={district.languages} />}
        <DeviceSettings shortcuts={shortcuts} />
        <StoredOnDevice />
        <SuggestionEmailPreferences
          isAdmin={user.role === 'admin'}
          hasDigest={permissionsOf(user)('decide suggestions')}
        />
        <Reminders />
        <AnnouncementEmails />
        {permissionsOf(user)('verify hours') && <WeeklyEmails />}
        {user.role === 'admin' && <BackupEmails />}
      </AccountSection>
    </Dialog>
  );
}

// Loaded with the QR code library when the dialog opens.
const TwoFactorSection = lazyScreen(
  async () => (await import('#features/auth/two-factor/web/two-factor-section.tsx')).TwoFactorSection,
);
const Passkeys = lazyScreen(
  async () => (await import('#features/auth/two-factor/web/passkeys.tsx')).Passkeys,
);

// Loaded only if there are other ways to sign in.
const LinkedProviders = lazyScreen(
  async () => (await import('#features/auth/oidc/web/linked-providers.tsx')).LinkedProviders,
);

const Reminders = lazyScreen(
  async () =>
    (await import('#features/notifications/reminders/web/reminder-preferences.tsx')).ReminderPreferences,
);
const AnnouncementEmails = lazyScreen(
  async () =>
    (await import('#features/notifications/announcements/web/announcement-preference.tsx'))
      .AnnouncementPreference,
);

// Lazy, because volunteers never need it.
const Roles = lazyScreen(async () => (await import('../admin/admin-settings-choices.tsx')).RoleNames);
const WeeklyEmails = lazyScreen(
  async () => (await import('../admin/admin-settings-choices.tsx')).WeeklyReminderPreference,
);
const BackupEmails = lazyScreen(
  async () => (await import('../admin/admin-settings-choices.tsx')).BackupEmailPreference,
);

const THEME_TEXTS = {
  device: 'web:themeDevice',
  light: 'web:themeLight',
  dark: 'web:themeDark',
} as const;

function DeviceSettings({ shortcuts }: Pick<SettingsProps, 'shortcuts'>) {
  const { t } = useTranslation();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <div className="flex flex-col gap-2">
      <ChoiceButtons
        label={t('web:appearance')}
        name="theme"
        choices={THEMES.map((value) => ({ value, text: t(THEME_TEXTS[value]) }))}
        value={theme}
        onChange={(value) => {
          chooseTheme(value as Theme);
          setTheme(chosenTheme());
        }}
      />
      <CheckboxField isSelected={shortcuts.isOn} onChange={shortcuts.toggle}>
        {t('web:shortcutsOn')}
      </CheckboxField>
      <Install />
    </div>
  );
}

// Shown only if the browser offers it.
function Install() {
  const { t } = useTranslation();
  const [install, setInstall] = useState(installer);
  if (install === undefined) return null;
  return (
    <div>
      <Button
        onPress={() => {
          setInstall(undefined);
          void install();
        }}
      >
        {t('web:install')}
      </Button>
      <p className="mt-1 text-dense text-soft">{t('web:installHint')}</p>
    </div>
  );
}
