import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Heart, X } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { call, failureText } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { IconButton } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { notify } from '#web/ui/toasts.ts';
import { getThanks, putThanksAway } from '../milestone-contract.ts';

// Under the key of the entries, so that it is reloaded with them whenever hours change.
const THANKS = ['time-entries', 'thanks'];

// In a short window, such as at 400 % zoom, the card would cover the focused element (WCAG 2.4.11).
const TALL = '(min-height: 30rem)';

/**
 * The district's thank-you for a milestone, until the volunteer dismisses it. It is at the bottom of the screen, so
 * that nothing moves when it appears.
 */
export function Thanks() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const found = useQuery({
    queryKey: THANKS,
    queryFn: async ({ signal }) => (await call(getThanks, { signal })).thanks,
  });
  const away = useMutation({
    mutationFn: (hours: number) => call(putThanksAway, { body: { hours } }),
    onSuccess: () => client.setQueryData(THANKS, null),
    onError: (error) => notify.failure(failureText(error)),
  });
  const isTall = useSyncExternalStore(onHeight, () => matchMedia(TALL).matches);
  const thanks = found.data;
  const isCovering = isTall && thanks != null;
  // Makes the browser scroll focused elements to above the card.
  useEffect(() => {
    document.documentElement.style.scrollPaddingBottom = isCovering ? '12rem' : '';
    return () => {
      document.documentElement.style.scrollPaddingBottom = '';
    };
  }, [isCovering]);
  // The thank-you is optional, so a failure to load it is not shown.
  if (thanks === undefined || thanks === null) return null;
  return (
    <div
      role="status"
      className={`${isTall ? 'sticky' : ''} bottom-4 z-10 mx-auto mt-6 max-w-lg rounded-card floating print:hidden`}
    >
      <Card isTight>
        <div className="flex items-start gap-3">
          <Heart aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-brand" />
          <div className="min-w-0 grow">
            <p className="font-semibold">{t('goals:thanksTitle', { hours: thanks.hours })}</p>
            <p className="wrap-anywhere">{thanks.words}</p>
          </div>
          <IconButton
            label={t('goals:thanksPutAway')}
            icon={<X aria-hidden="true" className="size-5" />}
            isBusy={away.isPending}
            onPress={() => away.mutate(thanks.hours)}
          />
        </div>
      </Card>
    </div>
  );
}

function onHeight(listener: () => void): () => void {
  const query = matchMedia(TALL);
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
}
