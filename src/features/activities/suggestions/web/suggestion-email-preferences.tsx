import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { QueryError } from '#web/ui/query-error.tsx';
import { useSuggestionEmailPreference, useUpdateSuggestionEmailPreference } from './api.ts';

type SuggestionEmailPreferencesProps = {
  isAdmin: boolean;
  /** Whether the user decides suggestions and so can choose the daily digest. */
  hasDigest: boolean;
};

/** A user's email preferences for suggestions. */
export function SuggestionEmailPreferences({ isAdmin, hasDigest }: SuggestionEmailPreferencesProps) {
  const { t } = useTranslation();
  const choice = useSuggestionEmailPreference();
  const choose = useUpdateSuggestionEmailPreference();
  // Shows a change immediately and reverts it if saving fails.
  const pendingChange = choose.isPending ? choose.variables : {};
  const shown = choice.data && {
    decisions: pendingChange.decisions ?? choice.data.decisions,
    digest: pendingChange.digest ?? choice.data.digest,
  };
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('suggestions:emailTitle')}</h4>
      {choice.isError && shown === undefined && (
        <QueryError text={t('suggestions:failedToLoadMail')} query={choice} />
      )}
      {shown !== undefined && (
        <div className="-mx-2">
          <Checkbox isSelected={shown.decisions} onChange={(decisions) => choose.mutate({ decisions })}>
            {t('suggestions:emailDecisions')}
          </Checkbox>
          {hasDigest && (
            <Checkbox isSelected={shown.digest} onChange={(digest) => choose.mutate({ digest })}>
              {t('suggestions:emailDaily')}
            </Checkbox>
          )}
        </div>
      )}
      {isAdmin && <MailServerNotice />}
      <MutationMessage mutation={choose} />
    </div>
  );
}

// Lazy, because volunteers never need it: they don't see the state of the mail server.
const MailServerNotice = lazyScreen(
  async () => (await import('#features/users/web/admin-email-notice.tsx')).EmailNotice,
);
