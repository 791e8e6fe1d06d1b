import { useState } from 'react';
import * as z from 'zod/mini';
import { capitalizeFirst, day as dayOf, formatMonth } from '#shared/calendar-date.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { ListTitle } from '#web/ui/admin/list-page.tsx';
import { RadioList } from '#web/ui/admin/radio-list.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { PageForm } from '#web/ui/page-form.tsx';
import { QueryPlaceholder } from '#web/ui/query-error.tsx';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type LogoChoice, LogoField, logoProblem } from '../../web/admin-logo-field.tsx';
import { DistrictFields, LIMITS, messages } from '../settings-contract.ts';
import { EmailSettings } from './admin-email-settings.tsx';
import { FixedValue, LanguagesField, TimeZoneField } from './admin-setting-fields.tsx';
import { type DistrictSettings, useSaveDistrictLogo, useSaveSettings, useSettings } from './settings-api.ts';

/** The form for the district's logo, which schools without a logo show. */
export function DistrictLogo({ current }: { current: string | null }) {
  const { t } = useTranslation();
  const save = useSaveDistrictLogo();
  const [sent, setSent] = useState<number>();
  const form = useForm({
    schema: z.object({}),
    initial: { logo: 'kept' as LogoChoice },
    check: ({ logo }) => ({ logo: logoProblem(logo) }),
    send: async (_, { logo }) => {
      if (logo === 'kept') return;
      try {
        notify.success((await save.mutateAsync({ logo, onProgress: setSent })).message);
      } finally {
        setSent(undefined);
      }
    },
  });
  const isChanged = form.field('logo').value !== 'kept';
  return (
    <AdminSection title={t('district-settings:settingsLogo')}>
      <form noValidate className="flex max-w-110 flex-col gap-4" onSubmit={form.onSubmit}>
        <p className="text-soft">{t('district-settings:settingsLogoAbout')}</p>
        <LogoField {...form.field('logo')} current={current} sent={sent} />
        <FormMessage message={form.message} summary={form.summary} />
        {isChanged && (
          <div>
            <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('web:saving')}>
              {t('district-settings:settingsSaveLogo')}
            </Button>
          </div>
        )}
      </form>
    </AdminSection>
  );
}

type AdminSettingsProps = {
  /** The viewer's own address, the default recipient of a test email. */
  email: string;
  onSystem: () => void;
};

/** The district's settings, in groups that are saved separately. */
export function DistrictSettingsScreen({ email, onSystem }: AdminSettingsProps) {
  const { t } = useTranslation();
  const found = useSettings();
  return (
    <section aria-label={t('district-settings:settingsTitle')} className="flex max-w-184 flex-col gap-8">
      <ListTitle title={t('district-settings:settingsTitle')} />
      <QueryPlaceholder text={messages.failedToLoad} query={found} rows={8} isTall />
      {found.data !== undefined && (
        <>
          <DistrictForm {...found.data} />
          <DistrictLogo key={found.data.settings.logoUrl} current={found.data.settings.logoUrl} />
          <AccessForm {...found.data} />
          <EmailSettings {...found.data} email={email} />
          <AdminSection title={t('district-settings:settingsElsewhere')}>
            <p className="text-soft">{t('district-settings:settingsElsewhereAbout')}</p>
            <div>
              <Button onPress={onSystem}>{t('district-settings:settingsOpenSystem')}</Button>
            </div>
          </AdminSection>
        </>
      )}
    </section>
  );
}

const MONTHS = Array.from({ length: 12 }, (_, at) => String(at + 1).padStart(2, '0'));
const DAYS = Array.from({ length: 31 }, (_, at) => String(at + 1).padStart(2, '0'));

function DistrictForm({ settings, setByServer }: DistrictSettings) {
  const { t, language } = useTranslation();
  const save = useSaveSettings();
  const isSet = (name: string) => setByServer.includes(name);
  const { districtName, supportEmail, schoolYearStart, timeZone, languages, isTimeZoneFixed } = settings;
  const form = useForm({
    schema: z.object({
      districtName: DistrictFields.districtName,
      supportEmail: DistrictFields.supportEmail,
      schoolYearStart: DistrictFields.schoolYearStart,
      timeZone: DistrictFields.timeZone,
      languages: DistrictFields.languages,
    }),
    initial: { districtName, supportEmail, schoolYearStart, timeZone, languages },
    // Values set by the environment are not sent.
    send: async (wanted) => {
      const change = Object.fromEntries(Object.entries(wanted).filter(([name]) => !isSet(name)));
      notify.success((await save.mutateAsync(change)).message);
    },
  });
  const year = form.field('schoolYearStart');
  const [month = '', date = ''] = year.value.split('-');
  const fixed = (name: string) =>
    isSet(name) ? { isReadOnly: true, hint: t('district-settings:settingsSetByServerHint') } : {};
  return (
    <AdminSection id="first-district" title={t('district-settings:settingsDistrict')}>
      <form noValidate className="flex max-w-110 flex-col gap-4" onSubmit={form.onSubmit}>
        <TextField
          {...form.field('districtName')}
          {...fixed('districtName')}
          label={t('district-settings:settingsName')}
          maxLength={LIMITS.name}
          isRequired
        />
        <TextField
          hint={t('district-settings:settingsEmailHint')}
          {...form.field('supportEmail')}
          {...fixed('supportEmail')}
          label={t('district-settings:settingsEmail')}
          type="email"
          isRequired
        />
        {isSet('schoolYearStart') ? (
          <FixedValue
            label={t('district-settings:settingsYear')}
            value={t('district-settings:settingsYearDay', {
              month: monthName(month, language),
              day: Number(date),
            })}
          />
        ) : (
          <div className="grid grid-cols-2 gap-3">
            <Select
              {...year}
              value={month}
              onChange={(next) => year.onChange(`${next}-${date}`)}
              label={t('district-settings:settingsYear')}
              choices={MONTHS.map((value) => ({ value, text: capitalizeFirst(monthName(value, language)) }))}
            />
            <Select
              name="schoolYearDay"
              value={date}
              onChange={(next) => year.onChange(`${month}-${next}`)}
              label={t('district-settings:settingsYearOnDay')}
              choices={DAYS.map((value) => ({ value, text: String(Number(value)) }))}
            />
          </div>
        )}
        <TimeZoneField
          {...form.field('timeZone')}
          isSetByServer={isSet('timeZone')}
          isFixed={isTimeZoneFixed}
        />
        <LanguagesField {...form.field('languages')} />
        <FormMessage message={form.message} summary={form.summary} />
        <div>
          <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('web:saving')}>
            {t('district-settings:settingsSaveDistrict')}
          </Button>
        </div>
      </form>
    </AdminSection>
  );
}

function monthName(month: string, language: string): string {
  return formatMonth(dayOf(`2001-${month}-01`), language, 'alone');
}

function AccessForm({ settings, setByServer }: DistrictSettings) {
  const { t } = useTranslation();
  const save = useSaveSettings();
  const isFixed = setByServer.includes('registration');
  // Until an administrator decides, the safe choice is preselected, so that one click saves it.
  const { registration, photosSeenBy } = settings.isAccessDecided
    ? settings
    : ({ registration: 'approval', photosSeenBy: 'approved' } as const);
  const form = useForm({
    schema: z.object({
      registration: DistrictFields.registration,
      photosSeenBy: DistrictFields.photosSeenBy,
    }),
    initial: { registration, photosSeenBy },
    send: async ({ registration: who, ...rest }) => {
      notify.success((await save.mutateAsync(isFixed ? rest : { ...rest, registration: who })).message);
    },
  });
  const registrations = [
    {
      value: 'approval',
      text: t('district-settings:registrationApproval'),
      about: t('district-settings:registrationApprovalAbout'),
    },
    {
      value: 'invite',
      text: t('district-settings:registrationInvite'),
      about: t('district-settings:registrationInviteAbout'),
    },
    {
      value: 'verify-email',
      text: t('district-settings:registrationVerify'),
      about: t('district-settings:registrationVerifyAbout'),
    },
    {
      value: 'open',
      text: t('district-settings:registrationOpen'),
      about: t('district-settings:registrationOpenAbout'),
    },
  ] as const;
  return (
    <AdminSection id="first-access" title={t('district-settings:settingsAccess')}>
      <PageForm
        form={form}
        send={{ text: t('district-settings:settingsSaveAccess'), busyText: t('web:saving') }}
      >
        {isFixed ? (
          <FixedValue
            label={t('district-settings:settingsRegistration')}
            value={
              registrations.find(({ value }) => value === settings.registration)?.text ??
              settings.registration
            }
          />
        ) : (
          <RadioList
            {...form.field('registration')}
            label={t('district-settings:settingsRegistration')}
            choices={registrations}
          />
        )}
        <RadioList
          {...form.field('photosSeenBy')}
          label={t('district-settings:settingsPhotos')}
          choices={[
            {
              value: 'approved',
              text: t('district-settings:photosApproved'),
              about: t('district-settings:photosApprovedAbout'),
            },
            {
              value: 'members',
              text: t('district-settings:photosMembers'),
              about: t('district-settings:photosMembersAbout'),
            },
          ]}
        />
      </PageForm>
    </AdminSection>
  );
}
