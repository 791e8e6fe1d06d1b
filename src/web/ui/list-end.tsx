import { useEffect, useEffectEvent, useRef } from 'react';
import { useTranslation } from '../i18n/translate.ts';
import { Button } from './button.tsx';
import { ErrorBox } from './notice.tsx';

type ListEndProps = {
  /** The query of the list. One without pages has no more rows to load. */
  list: Readonly<{
    hasNextPage?: boolean;
    isFetchingNextPage?: boolean;
    isFetchNextPageError?: boolean;
    fetchNextPage?: () => unknown;
  }>;
  /** Shown if the next rows could not be loaded. */
  failure: string;
};

/** Loads the next rows shortly before the end of the list scrolls into view, or with a button. */
export function ListEnd({ list, failure }: ListEndProps) {
  const { t } = useTranslation();
  const end = useRef<HTMLDivElement>(null);
  const {
    hasNextPage = false,
    isFetchingNextPage: isLoading = false,
    isFetchNextPageError: hasFailed = false,
  } = list;
  const isWaiting = hasNextPage && !isLoading && !hasFailed;
  const onMore = () => void list.fetchNextPage?.();
  const loadMore = useEffectEvent(onMore);
  useEffect(() => {
    if (!isWaiting || end.current === null || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (seen) => {
        if (seen.some(({ isIntersecting }) => isIntersecting)) loadMore();
      },
      { rootMargin: '600px' },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isWaiting]);

  if (hasFailed) return <ErrorBox text={failure} onRetry={onMore} isRetrying={isLoading} />;
  if (!hasNextPage) return null;
  return (
    <div ref={end} className="flex justify-center py-2 print:hidden">
      <Button onPress={onMore} isBusy={isLoading} busyText={t('web:loading')}>
        {t('web:showMore')}
      </Button>
    </div>
  );
}
