import {
  TranslationFields,
  translationValues,
} from '#features/schools/content-translations/web/admin-translation-fields.tsx';
import { EmailNotice } from '#features/users/web/admin-email-notice.tsx';
import { commonMessages } from '#shared/common-messages.ts';
import { failureText } from '#web/api/call.ts';
import { useForm } from '#web/forms/use-form.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { CheckList } from '#web/ui/check-list.tsx';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { ErrorBox, FormMessage } from '#web/ui/notice.tsx';
import { SkeletonRows } from '#web/ui/skeleton.tsx';
import { TextArea } from '#web/ui/text-area.tsx';
import { LIMITS, type PhotoSettings, PhotoSettingsChange, TRANSLATED } from '../contract.ts';
import { useAdministrators, useChangePhotoSettings, usePhotoSettings } from './admin-api.ts';
import { showGalleryNotice } from './gallery.tsx';

/** The district's photo settings. */
export function PhotoSettingsSection() {
  const { t } = useTranslation();
  const settings = usePhotoSettings();
  const administrators = useAdministrators();
  const failed = settings.isError ? settings : administrators.isError ? administrators : undefined;
  return (
    <section aria-label={t('photos:settings')} className="flex max-w-184 flex-col gap-4">
      <h3 className="text-xl font-semibold">{t('photos:settings')}</h3>
      {failed !== undefined && (
        <ErrorBox
          text={failureText(failed.error, commonMessages.requestFailed)}
          onRetry={() => void failed.refetch()}
          isRetrying={failed.isFetching}
        />
      )}
      {failed === undefined && (settings.data === undefined || administrators.data === undefined) && (
        <SkeletonRows rows={4} isTall />
      )}
      {settings.data !== undefined && administrators.data !== undefined && (
        <Card>
          <SettingsForm settings={settings.data} administrators={administrators.data} />
        </Card>
      )}
    </section>
  );
}

type SettingsFormProps = {
  settings: PhotoSettings;
  administrators: readonly { id: number; name: string }[];
};

function SettingsForm({ settings, administrators }: SettingsFormProps) {
  const { t } = useTranslation();
  const change = useChangePhotoSettings();
  const known = new Set(administrators.map(({ id }) => id));
  const form = useForm({
    schema: PhotoSettingsChange,
    // Drops people who are no longer administrators: they cannot be notified, and the server would reject them.
    initial: {
      ...settings,
      translations: translationValues(TRANSLATED, settings.translations),
      notify: settings.notify.filter((id) => known.has(id)),
    },
    send: async (body) => {
      showGalleryNotice((await change.mutateAsync(body)).message);
    },
  });
  return (
    <form onSubmit={form.onSubmit} noValidate className="flex flex-col gap-4">
      <div className="-mx-2">
        <Checkbox
          name="consent"
          isSelected={form.values.consent}
          onChange={(isOn) => form.set('consent', isOn)}
        >
          {t('photos:askConsent')}
        </Checkbox>
      </div>
      {form.values.consent && (
        <>
          <TextArea
            {...form.field('consentText')}
            label={t('photos:consentText')}
            max={LIMITS.consentText}
            rows={3}
            isRequired
          />
          <TranslationFields
            {...form.field('translations')}
            texts={[
              {
                name: 'consentText',
                label: t('photos:consentText'),
                max: LIMITS.consentText,
                isLong: true,
              },
            ]}
          />
        </>
      )}
      <div className="-mx-2">
        <Checkbox name="review" isSelected={form.values.review} onChange={(isOn) => form.set('review', isOn)}>
          {t('photos:askReview')}
        </Checkbox>
      </div>
      <CheckList
        {...form.field('notify')}
        label={t('photos:notify')}
        searchLabel={t('photos:searchAdministrators')}
        noMatch={t('photos:noAdministrator')}
        choices={administrators}
      />
      <EmailNotice />
      <FormMessage message={form.message} summary={form.summary} />
      <div>
        <Button kind="primary" type="submit" isBusy={form.isSending} busyText={t('web:saving')}>
          {t('web:save')}
        </Button>
      </div>
    </form>
  );
}
