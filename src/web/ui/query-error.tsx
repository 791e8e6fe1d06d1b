import type { Message } from '#shared/i18n/message.ts';
import { withReason } from '../api/call.ts';
import { useTranslation } from '../i18n/translate.ts';
import { ErrorBox } from './notice.tsx';
import { SkeletonRows } from './skeleton.tsx';

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

type QueryStatusProps = QueryErrorProps & {
  query: Readonly<{ data: unknown; isError: boolean }>;
  /** The number of gray rows while loading. */
  rows: number;
  isTall?: boolean;
};

/** Gray rows until a query has data. An error is shown also above data that could not be reloaded. */
export function QueryStatus({ text, query, rows, isTall = false }: QueryStatusProps) {
  if (query.isError) return <QueryError text={text} query={query} />;
  return query.data === undefined && <SkeletonRows rows={rows} isTall={isTall} />;
}

/** Replaces the data of a query until there is some: gray rows, or the error with a retry button. */
export function QueryPlaceholder(props: QueryStatusProps) {
  return props.query.data === undefined && <QueryStatus {...props} />;
}
