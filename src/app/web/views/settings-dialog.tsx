import { useState } from 'react';
import type { District } from '#rooms/district/contract.ts';
import { DownloadOwnData } from '#rooms/own-data/web/download-own-data.tsx';
import { Erasure } from '#rooms/own-data/web/erasure.tsx';
import { SuggestionMailChoices } from '#rooms/suggestions/web/mail-choices.tsx';
import type { User } from '#rooms/users/contract.ts';
import { AccountSection } from '#rooms/users/web/account-section.tsx';
import { LanguageChoice } from '#rooms/users/web/language-choice.tsx';
import { PasswordSection } from '#rooms/users/web/password-section.tsx';
import { ProfileSection, useProfileForm } from '#rooms/users/web/profile-section.tsx';
import { installer } from '#web/lib/install-offer.ts';
import { mayOf } from '#web/lib/may.ts';
import { notify } from '#web/lib/notify.ts';
import { useText } from '#web/lib/text.ts';
import { chooseTheme, chosenTheme, THEMES, type Theme } from '#web/lib/theme.ts';
import { leaveSettled } from '#web/lib/use-back-closes.ts';
import { usePart } from '#web/lib/use-part.ts';
import { Button } from '#web/ui/button.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ChoiceButtons } from '#web/ui/choice-buttons.tsx';
import { Dialog } from '#web/ui/dialog.tsx';
import { useOfflinePart } from './offline.tsx';

/** After a successful profile update the page reloads (specification section 4). */
const RELOAD_MS = 1_000;

export type SettingsProps = {
  user: User;
  district: District;
  isOpen: boolean;
  onClose: () => void;
  /** For an administrator: opens the Schools tab. */
  onAddSchool?: (() => void) | undefined;
  shortcuts: Readonly<{ isOn: boolean; turn: (isOn: boolean) => void }>;
};

/** Account Settings: three sections in one scrolling dialog, each with its own save button. */
export function SettingsDialog(props: SettingsProps) {
  const { user, district, isOpen, onClose, onAddSchool, shortcuts } = props;
  const { t } = useText();
  const profile = useProfileForm(user, () => {
    setTimeout(() => void leaveSettled(() => location.reload()), RELOAD_MS);
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
            {district.hasProviders === true && <LinkedProviders zone={district.timeZone} />}
            <SecondProof zone={district.timeZone} />
            <Passkeys zone={district.timeZone} />
            <DownloadOwnData />
            <Erasure user={user} zone={district.timeZone} />
          </>
        }
      >
        {district.languages.length > 1 && <LanguageChoice user={user} languages={district.languages} />}
        <OnThisDevice shortcuts={shortcuts} />
        <KeptHere />
        <SuggestionMailChoices
          isAdmin={user.role === 'admin'}
          hasDigest={mayOf(user)('decide suggestions')}
        />
        <Reminders />
        {mayOf(user)('verify hours') && <WeeklyMail />}
        {user.role === 'admin' && <BackupMail />}
      </AccountSection>
    </Dialog>
  );
}

// Loaded with its texts and the drawing of QR codes when the dialog opens.
function SecondProof({ zone }: { zone: string }) {
  const part = usePart('passkeys', () => import('./passkeys-part.tsx'));
  return part.data !== undefined && <part.data.SecondProof zone={zone} />;
}

// Loaded only where there are other ways to sign in.
function LinkedProviders({ zone }: { zone: string }) {
  const part = usePart('linked-providers', () => import('./linked-providers-part.tsx'));
  return part.data !== undefined && <part.data.LinkedProviders zone={zone} />;
}

function KeptHere() {
  const part = useOfflinePart();
  return part !== undefined && <part.OnThisDevice />;
}

function Passkeys({ zone }: { zone: string }) {
  const part = usePart('passkeys', () => import('./passkeys-part.tsx'));
  return part.data !== undefined && <part.data.Passkeys zone={zone} />;
}

function Reminders() {
  const part = usePart('reminders', () => import('./reminder-part.tsx'));
  if (part.data === undefined) return null;
  const { MailingChoice, ReminderChoice } = part.data;
  return (
    <>
      <ReminderChoice />
      <MailingChoice />
    </>
  );
}

// Volunteers never load them.
function useAdminParts() {
  return usePart('admin-settings', () => import('./admin-settings-parts.tsx'));
}

function Roles({ user }: { user: User }) {
  const part = useAdminParts();
  return part.data === undefined ? null : <part.data.RolesInWords user={user} />;
}

function WeeklyMail() {
  const part = useAdminParts();
  return part.data === undefined ? null : <part.data.WeeklyMailChoice />;
}

function BackupMail() {
  const part = useAdminParts();
  return part.data === undefined ? null : <part.data.BackupMailChoice />;
}

const THEME_TEXTS = {
  device: 'web:themeDevice',
  light: 'web:themeLight',
  dark: 'web:themeDark',
} as const;

function OnThisDevice({ shortcuts }: Pick<SettingsProps, 'shortcuts'>) {
  const { t } = useText();
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
      <div className="-mx-2">
        <Checkbox isSelected={shortcuts.isOn} onChange={shortcuts.turn}>
          {t('web:shortcutsOn')}
        </Checkbox>
      </div>
      <Install />
    </div>
  );
}

// Only where the browser offers it.
function Install() {
  const { t } = useText();
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
