import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { useProviders } from './api.ts';

/** Below the sign-in form: one button for each provider. */
export function ProviderButtons() {
  const { t } = useTranslation();
  const providers = useProviders();
  if (providers.data === undefined) return null;
  return (
    <div className="flex flex-col gap-2 border-t border-line pt-4">
      {providers.data.map(({ name, title }) => (
        <Button key={name} isWide onPress={() => location.assign(`/api/auth/oidc/${name}/start`)}>
          {t('auth:providerSignIn', { title })}
        </Button>
      ))}
    </div>
  );
}
