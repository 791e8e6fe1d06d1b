import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from '#web/i18n/translate.ts';
import { usePendingChanges } from '#web/offline/pending-changes.ts';
import { Button } from '#web/ui/button.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { notify } from '#web/ui/toasts.ts';
import type { OfflineSession } from './offline-data.ts';
import { describePending } from './pending-summary.ts';

/** What this device stores for the account, and a button that removes it. */
export function StoredOnDevice({ session }: { session: OfflineSession }) {
  const text = useTranslation();
  const { t } = text;
  const { waiting } = usePendingChanges();
  const [isAsking, setIsAsking] = useState(false);
  const id = useId();
  const store = useQuery({
    queryKey: ['public', 'kept-store', session.number],
    queryFn: () => session.store.then((opened) => opened ?? null),
    staleTime: Number.POSITIVE_INFINITY,
    structuralSharing: false,
  });
  if (store.data === undefined) return null;
  const what = describePending(waiting, text);
  async function remove() {
    setIsAsking(false);
    await session.removeAll();
    notify.success(t('web:removedAllKept'));
  }
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h4 id={id} className="font-medium">
        {t('web:onThisDevice')}
      </h4>
      {store.data === null ? (
        <p className="text-soft">{t('web:keepsNothing')}</p>
      ) : (
        <>
          <p className="text-soft">{t(session.isShared ? 'web:keptHereShared' : 'web:keptHere')}</p>
          {what !== '' && <p>{t('web:keptWaiting', { what })}</p>}
          <div>
            <Button onPress={() => (what === '' ? void remove() : setIsAsking(true))}>
              {t('web:removeAllKept')}
            </Button>
          </div>
        </>
      )}
      <ConfirmRemove
        title={t('web:removeAllTitle')}
        question={isAsking ? t('web:removeAllWarning', { what }) : undefined}
        confirmText={t('web:removeAllKept')}
        onConfirm={() => void remove()}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
}
