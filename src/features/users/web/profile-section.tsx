import { useState } from 'react';
import { useDistrict } from '#features/schools/district-settings/web/api.ts';
import { SchoolCheckboxes } from '#features/schools/web/school-checkboxes.tsx';
import type { Id } from '#shared/id.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Badge } from '#web/ui/badge.tsx';
import { Button } from '#web/ui/button.tsx';
import { DialogActions } from '#web/ui/dialog.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { SettingsSection } from '#web/ui/settings-section.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { messages, ProfileInput, type User } from '../contract.ts';
import { useProfileUpdate } from './api.ts';
import { NameFields } from './name-fields.tsx';

/** The values of the profile form; `schoolIds` holds every wanted school, including those waiting for approval. */
export type ProfileValues = { firstName: string; lastName: string; email: string; schoolIds: Id[] };

export function profileValues(user: User): ProfileValues {
  const { firstName, lastName, email, schools, pendingSchools } = user;
  return { firstName, lastName, email, schoolIds: [...schools, ...pendingSchools].map(({ id }) => id) };
}

/** The fields that differ from `before`. Only these are sent, so that changes made elsewhere meanwhile are not overwritten. */
export function profileChanges(before: ProfileValues, now: ProfileValues): ProfileInput {
  return {
    ...(now.firstName === before.firstName ? {} : { firstName: now.firstName }),
    ...(now.lastName === before.lastName ? {} : { lastName: now.lastName }),
    ...(now.email === before.email ? {} : { email: now.email }),
    ...(sameSchools(now.schoolIds, before.schoolIds) ? {} : { schoolIds: now.schoolIds }),
  };
}

export function isSame(before: ProfileValues, now: ProfileValues): boolean {
  return Object.keys(profileChanges(before, now)).length === 0;
}

function sameSchools(some: readonly Id[], others: readonly Id[]): boolean {
  return some.length === others.length && some.every((id) => others.includes(id));
}

/**
 * The state of the profile form. The dialog's parent owns it, so that typed text is still there when the dialog is reopened.
 * `onSaved` is called after a successful save.
 */
export function useProfileForm(user: User, onSaved: () => void) {
  const updateProfile = useProfileUpdate();
  const current = profileValues(user);
  const [before, setBefore] = useState(current);
  const [saved, setSaved] = useState<string>();
  // The server's message after requesting an address that changes only through an emailed link.
  const [asked, setAsked] = useState<string>();
  const [isLastRefused, setIsLastRefused] = useState(false);
  const mayBeNowhere = user.role === 'admin' || user.grants.length > 0;
  const form = useForm({
    schema: ProfileInput,
    initial: current,
    draft: 'profile',
    check: ({ schoolIds }) => ({
      schoolIds: schoolIds.length === 0 && !mayBeNowhere ? messages.schoolRequired : undefined,
    }),
    send: async (_, values) => {
      const changes = profileChanges(before, values);
      const { user: now, message } = await updateProfile(
        // A request must have a field, even if nothing differs.
        isSame(before, values) ? { firstName: values.firstName } : changes,
      );
      if (changes.email !== undefined && now.email === before.email) {
        setAsked(message);
        setBefore(profileValues(now));
        form.clear(profileValues(now));
        return;
      }
      setSaved(message);
      onSaved();
    },
    whenLeft: 'kept',
  });
  // While nothing is typed, the form adopts changes made elsewhere. Otherwise it keeps its starting values.
  if (saved === undefined && !isSame(before, current) && isSame(before, form.values)) {
    setBefore(current);
    form.clear(current);
  }
  return {
    form,
    isChanged: !isSame(before, form.values),
    saved,
    asked,
    isLastRefused,
    chooseSchools(schoolIds: Id[]) {
      const isLast = schoolIds.length === 0 && !mayBeNowhere;
      setIsLastRefused(isLast);
      if (!isLast) form.set('schoolIds', schoolIds);
    },
    discard() {
      setIsLastRefused(false);
      setBefore(current);
      form.clear(current);
    },
  } as const;
}

type ProfileSectionProps = {
  user: User;
  profile: ReturnType<typeof useProfileForm>;
  onAddSchool?: (() => void) | undefined;
};

/** The Profile Information section: name, address, schools. */
export function ProfileSection({ user, profile, onAddSchool }: ProfileSectionProps) {
  const { say, t } = useTranslation();
  const district = useDistrict();
  const { form, isChanged, saved, asked, isLastRefused } = profile;
  const lastSchool = isLastRefused ? say(messages.lastSchool) : undefined;
  const waiting = new Set(user.pendingSchools.map(({ id }) => id));
  return (
    <SettingsSection title={t('users:profileTitle')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={form.onSubmit}>
        <NameFields field={form.field} isOwn />
        <TextField
          {...form.field('email')}
          label={t('users:email')}
          type="email"
          autoComplete="email"
          isRequired
        />
        <SchoolCheckboxes
          {...form.field('schoolIds')}
          {...(lastSchool === undefined ? {} : { error: lastSchool })}
          onChange={profile.chooseSchools}
          label={t('users:schools')}
          supportEmail={district.data?.supportEmail}
          onAddSchool={onAddSchool}
          noteOf={(id) => waiting.has(id) && <Badge tone="notice">{t('users:waiting')}</Badge>}
        />
        <FormMessage message={form.message} summary={form.summary ?? lastSchool} success={saved ?? asked} />
        {isChanged && (
          <DialogActions>
            <Button kind="plain" onPress={profile.discard} isDisabled={saved !== undefined}>
              {t('users:profileDiscard')}
            </Button>
            <Button
              kind="primary"
              type="submit"
              isBusy={form.isSending || saved !== undefined}
              busyText={t('users:saving')}
            >
              {t('users:profileSave')}
            </Button>
          </DialogActions>
        )}
      </form>
    </SettingsSection>
  );
}
