import { useTranslation } from '#web/i18n/translate.ts';
import { CopyField } from '#web/ui/admin/copy-field.tsx';
import { NewTabLink } from '#web/ui/admin/new-tab-link.tsx';
import { Card } from '#web/ui/card.tsx';

const CONSOLE = 'https://console.cloud.google.com/';

/** The one-time setup, at Google and on the server, before anybody can connect. */
export function SetUp({ redirectUrl }: { redirectUrl: string }) {
  const { t } = useTranslation();
  return (
    <Card labelledBy="drive-set-up">
      <h3 id="drive-set-up" className="text-lg font-semibold">
        {t('google-drive:setUpTitle')}
      </h3>
      <p className="mt-1 text-soft">{t('google-drive:setUpNote')}</p>
      <ol className="mt-4 flex max-w-2xl list-decimal flex-col gap-4 pl-6 marker:font-semibold marker:text-brand">
        <li className="pl-1">
          {t('google-drive:setUpProject')}
          <div>
            <NewTabLink href={CONSOLE} text={t('google-drive:setUpConsole')} />
          </div>
        </li>
        <li className="pl-1">{t('google-drive:setUpApi')}</li>
        <li className="pl-1">{t('google-drive:setUpConsent')}</li>
        <li className="pl-1">
          <p className="mb-3">{t('google-drive:setUpClient')}</p>
          <CopyField label={t('google-drive:redirectUri')} name="redirectUrl" value={redirectUrl} />
        </li>
        <li className="pl-1">{t('google-drive:setUpSettings')}</li>
        <li className="pl-1">{t('google-drive:setUpDone')}</li>
      </ol>
    </Card>
  );
}
