import { useState } from 'react';
import * as z from 'zod/mini';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { AdminSection } from '#web/ui/admin/admin-section.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage, Notice } from '#web/ui/notice.tsx';
import { notifyResult } from '#web/ui/notify-result.ts';
import { Select } from '#web/ui/select.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { notify } from '#web/ui/toasts.ts';
import { MailFrom, messages, TestMail } from '../settings-contract.ts';
import { FixedValue } from './admin-setting-fields.tsx';
import { type DistrictSettings, useSaveSettings, useTryMailServer } from './settings-api.ts';

/** The mail server, the sender, and a test email. */
export function EmailSettings({ settings, setByServer, email }: DistrictSettings & { email: string }) {
  const { t } = useTranslation();
  const [isChanging, setIsChanging] = useState(false);
  const save = useSaveSettings();
  const { mail } = settings;
  const isFixed = setByServer.includes('mail.url');
  return (
    <AdminSection id="first-mail" title={t('district-settings:settingsMail')}>
      {!mail.isReadable && (
        <Notice>
          <p className="font-medium">{t('district-settings:testFaultUnreadable')}</p>
        </Notice>
      )}
      {isFixed && <FixedValue label={t('district-settings:postServer')} value={mail.server ?? ''} />}
      {!isFixed && !isChanging && (
        <div className="flex flex-wrap items-center gap-3">
          <p className="wrap-anywhere">
            {mail.server === null
              ? t('district-settings:postServerNone')
              : t('district-settings:postServerIs', { server: mail.server })}
          </p>
          <Button onPress={() => setIsChanging(true)}>
            {t(
              mail.server === null
                ? 'district-settings:postServerEnter'
                : 'district-settings:postServerChange',
            )}
          </Button>
          {mail.server !== null && (
            <Button
              kind="plain"
              isBusy={save.isPending}
              onPress={() => void notifyResult(save.mutateAsync({ mail: { url: null } }))}
            >
              {t('district-settings:postServerRemove')}
            </Button>
          )}
        </div>
      )}
      {!isFixed && isChanging && <ServerForm onClose={() => setIsChanging(false)} />}
      <hr className="border-line" />
      <SenderForm
        settings={settings}
        setByServer={setByServer}
        key={`${settings.districtName} ${settings.supportEmail}`}
      />
      {mail.url !== null && <TestForm email={email} />}
    </AdminSection>
  );
}

function ServerForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const save = useSaveSettings();
  const form = useForm({
    schema: z.object({
      host: z.string().check(z.trim(), z.minLength(1, messages.hostRequired)),
      port: z.string().check(z.trim(), z.regex(/^\d{1,5}$/, messages.badPort)),
      security: z.enum(CONNECTION_SECURITIES),
      user: z.string(),
      password: z.string(),
    }),
    initial: { host: '', port: '587', security: 'starttls' as ConnectionSecurity, user: '', password: '' },
    send: async (typed) => {
      const { message } = await save.mutateAsync({ mail: { url: smtpUrlOf(typed) } });
      notify.success(message);
      onClose();
    },
    check: ({ user, password }) =>
      user.trim() === '' && password !== '' ? { user: messages.userRequired } : {},
  });
  const security = form.field('security');
  return (
    <form noValidate className="flex max-w-110 flex-col gap-4" onSubmit={form.onSubmit}>
      <TextField
        {...form.field('host')}
        label={t('district-settings:postHost')}
        hint={t('district-settings:postHostHint')}
        isPlain
        isRequired
      />
      <div className="flex flex-wrap gap-3">
        <div className="min-w-[min(10rem,100%)] flex-1">
          <Select
            {...security}
            onChange={(value) => {
              const next = value as ConnectionSecurity;
              if (form.values.port === DEFAULT_PORTS[form.values.security])
                form.set('port', DEFAULT_PORTS[next]);
              form.set('security', next);
            }}
            label={t('district-settings:postSecurity')}
            choices={[
              { value: 'starttls', text: t('district-settings:postSecurityStartTls') },
              { value: 'tls', text: t('district-settings:postSecurityTls') },
              { value: 'none', text: t('district-settings:postSecurityNone') },
            ]}
          />
        </div>
        <div className="min-w-[min(10rem,100%)] flex-1">
          <TextField
            {...form.field('port')}
            label={t('district-settings:postPort')}
            inputMode="numeric"
            isRequired
          />
        </div>
      </div>
      <TextField {...form.field('user')} label={t('district-settings:postUser')} autoComplete="off" isPlain />
      <TextField
        {...form.field('password')}
        label={t('district-settings:postPassword')}
        hint={t('district-settings:postPasswordHint')}
        type="password"
        autoComplete="new-password"
      />
      <FormMessage message={form.message} summary={form.summary} />
      <div className="flex flex-wrap gap-3">
        <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('web:saving')}>
          {t('district-settings:postServerSave')}
        </Button>
        <Button kind="plain" onPress={onClose}>
          {t('web:cancel')}
        </Button>
      </div>
    </form>
  );
}

function SenderForm({ settings, setByServer }: DistrictSettings) {
  const { t } = useTranslation();
  const save = useSaveSettings();
  const { districtName, supportEmail, mail } = settings;
  const form = useForm({
    schema: z.object({ from: z.union([z.literal(''), MailFrom], messages.badSender) }),
    initial: { from: mail.from ?? '' },
    send: async ({ from }) => {
      notify.success((await save.mutateAsync({ mail: { from: from === '' ? null : from } })).message);
    },
  });
  const standard = `${districtName} <${supportEmail}>`;
  if (setByServer.includes('mail.from')) {
    return <FixedValue label={t('district-settings:postSender')} value={mail.from ?? standard} />;
  }
  return (
    <form noValidate className="flex max-w-110 flex-col gap-4" onSubmit={form.onSubmit}>
      <TextField
        {...form.field('from')}
        label={t('district-settings:postSender')}
        hint={t('district-settings:postSenderHint', { standard })}
        isPlain
      />
      <FormMessage message={form.message} summary={form.summary} />
      <div>
        <Button type="submit" isBusy={form.isSending} busyText={t('web:saving')}>
          {t('district-settings:postSenderSave')}
        </Button>
      </div>
    </form>
  );
}

function TestForm({ email }: { email: string }) {
  const { t } = useTranslation();
  const test = useTryMailServer();
  const [sent, setSent] = useState<string>();
  const form = useForm({
    schema: TestMail,
    initial: { to: email },
    whenLeft: 'no loss',
    send: async ({ to }) => {
      setSent(undefined);
      setSent((await test.mutateAsync(to)).message);
    },
  });
  return (
    <form noValidate className="flex max-w-110 flex-col gap-4" onSubmit={form.onSubmit}>
      <TextField {...form.field('to')} label={t('district-settings:postTestTo')} type="email" isRequired />
      <FormMessage
        message={form.message}
        summary={form.summary}
        success={form.message === undefined ? sent : undefined}
      />
      <div>
        <Button type="submit" isBusy={form.isSending} busyText={t('district-settings:postTesting')}>
          {t('district-settings:postTest')}
        </Button>
      </div>
    </form>
  );
}

/** The ways to encrypt the connection to a mail server. */
export const CONNECTION_SECURITIES = ['starttls', 'tls', 'none'] as const;
type ConnectionSecurity = (typeof CONNECTION_SECURITIES)[number];

const DEFAULT_PORTS: Readonly<Record<ConnectionSecurity, string>> = {
  starttls: '587',
  tls: '465',
  none: '25',
};

type Typed = Readonly<{
  host: string;
  port: string;
  security: ConnectionSecurity;
  user: string;
  password: string;
}>;

/** Builds a mail server's URL from the form; user name and password may contain any characters. */
export function smtpUrlOf({ host, port, security, user, password }: Typed): string {
  const login =
    user.trim() === '' ? '' : `${encodeURIComponent(user.trim())}:${encodeURIComponent(password)}@`;
  const scheme = security === 'tls' ? 'smtps' : 'smtp';
  const option = security === 'tls' ? '' : `?requireTLS=${security === 'starttls'}`;
  return `${scheme}://${login}${host.trim()}:${port}${option}`;
}
