import type { Message } from '#shared/i18n/message.ts';
import { withReason } from '../api/call.ts';
import { useTranslation } from '../i18n/translate.ts';
import { ErrorBox } from './notice.tsx';

type QueryErrorProps = {
  /** Says that the data could not be loaded; a string is already translated. */
  text: Message | string;
  /** The failed query. */
  query: Readonly<{ error: unknown; isFetching: boolean; refetch: () => unknown }>;
};

/** Replaces data that could not be loaded, with the reason if it is known and a retry button. */
export function QueryError({ text, query }: QueryErrorProps) {
  const { say } = useTranslation();
  return (
    <ErrorBox
      {...withReason(say(text, text), query.error)}
      onRetry={() => void query.refetch()}
      isRetrying={query.isFetching}
    />
  );
}
