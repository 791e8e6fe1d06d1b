import type { UseQueryResult } from '@tanstack/react-query';
import { baseMessages } from '#base/messages.ts';
import { reloadNewest } from '../lib/reload-newest.ts';
import { useText } from '../lib/text.ts';
import { ErrorBox } from './notice.tsx';

/** In place of a part of the page that did not load: no signal, or an update of the server has removed it. */
export function PartFailed({ part }: { part: Pick<UseQueryResult, 'isFetching' | 'refetch'> }) {
  const { t, say } = useText();
  return (
    <ErrorBox
      text={say(baseMessages.networkError)}
      detail={t('web:partMissing')}
      onRetry={() => void part.refetch()}
      isRetrying={part.isFetching}
      onReload={() => void reloadNewest()}
    />
  );
}
