import { failureText, withReason } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';
import { ErrorBox, FormMessage } from '#web/ui/notice.tsx';
import { useSuggestionEmailPreference, useUpdateSuggestionEmailPreference } from './api.ts';

type MailChoicesProps = {
  isAdmin: boolean;
  /** They decide suggestions, so they can also choose the daily list of pending ones. */
  hasDigest: boolean;
};

/** Which mail about suggestions a person gets. */
export function SuggestionEmailPreferences({ isAdmin, hasDigest }: MailChoicesProps) {
  const { t } = useTranslation();
  const choice = useSuggestionEmailPreference();
  const choose = useUpdateSuggestionEmailPreference();
  // A change shows at once, and is reverted when it could not be saved.
  const asked = choose.isPending ? choose.variables : {};
  const shown = choice.data && {
    decisions: asked.decisions ?? choice.data.decisions,
    digest: asked.digest ?? choice.data.digest,
  };
  return (
    <div className="flex flex-col gap-2">
      <h4 className="font-medium">{t('suggestions:emailTitle')}</h4>
      {choice.isError && shown === undefined && (
        <ErrorBox
          {...withReason(t('suggestions:failedToLoadMail'), choice.error)}
          onRetry={() => void choice.refetch()}
          isRetrying={choice.isFetching}
        />
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
      {isAdmin && <Letters />}
      <FormMessage
        message={choose.isError ? failureText(choose.error) : undefined}
        success={choose.isSuccess ? choose.data.message : undefined}
      />
    </div>
  );
}

// Volunteers never load it: they are not told about the mail server.
const Letters = lazyScreen(
  async () => (await import('#features/users/web/admin-email-notice.tsx')).EmailNotice,
);
