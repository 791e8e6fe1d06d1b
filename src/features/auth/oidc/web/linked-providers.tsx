import { formatMoment } from '#shared/calendar-date.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button } from '#web/ui/button.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { useOwnProviders, useUnlink } from './api.ts';

/** In Account Settings: the linked provider accounts, each with a button that unlinks it. */
export function LinkedProviders({ zone }: { zone: string }) {
  const { t, language } = useTranslation();
  const providers = useOwnProviders();
  const unlink = useUnlink();
  if (providers.isError && providers.data === undefined) {
    return <QueryError text={t('auth:providersFailed')} query={providers} />;
  }
  const { data = [] } = providers;
  if (data.length === 0 && unlink.data === undefined) return null;
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('auth:providersTitle')}</h4>
      {data.length > 0 && (
        <ul className="divide-y divide-line rounded-xl border border-line">
          {data.map(({ id, title, lastUsedAt }) => (
            <li key={id} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
              <span className="flex flex-col">
                <span className="font-medium">{title}</span>
                <span className="text-sm text-soft">
                  {t('auth:lastUsedAt', { when: formatMoment(lastUsedAt, language, zone) })}
                </span>
              </span>
              <Button
                label={t('auth:providerUnlink', { title })}
                onPress={() => unlink.mutate(id)}
                isBusy={unlink.isPending && unlink.variables === id}
              >
                {t('auth:providerRemove')}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <MutationMessage mutation={unlink} />
    </div>
  );
}
