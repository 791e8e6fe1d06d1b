import { useState } from 'react';
import * as z from 'zod/mini';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Part } from '#web/ui/admin/admin-section.tsx';
import { Button } from '#web/ui/button.tsx';
import { FormMessage } from '#web/ui/notice.tsx';
import { notify } from '#web/ui/toasts.ts';
import { type LogoChoice, LogoField, logoProblem } from '../../web/admin-logo-field.tsx';
import { useSaveDistrictLogo } from './settings-api.ts';

/** The district's logo, which stands wherever a school has none of its own. */
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
    <Part title={t('district-settings:settingsLogo')}>
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
    </Part>
  );
}
