import { saveBlob } from '#web/api/download.ts';
import '../volunteer-messages.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from '#web/i18n/translate.ts';
import { canStoreOffline } from '#web/offline/database.ts';
import type { PendingChange } from '#web/offline/pending-changes.ts';
import { setHasPendingChanges } from '#web/offline/pending-changes.ts';
import { pendingOnDevice, removePendingOnDevice } from '#web/offline/signed-out-changes.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { ConfirmRemove } from '#web/ui/confirm-remove.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { describePending, pendingAsText } from './pending-summary.ts';

const KEY = ['public', 'kept-on-device'] as const;

/**
 * On the sign-in page: how much is pending on this device, without saying whose it is. A user whose account is closed
 * can save a copy there and remove it.
 */
export function PendingNotice() {
  const text = useTranslation();
  const { t } = text;
  const client = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const { data: pending = [] } = useQuery({
    queryKey: KEY,
    queryFn: (): Promise<readonly Pick<PendingChange, 'kind'>[]> =>
      canStoreOffline() ? countOnDevice() : Promise.resolve([]),
    staleTime: 0,
    retry: false,
  });
  if (pending.length === 0) return null;
  async function remove() {
    await removePendingOnDevice();
    setIsAsking(false);
    setHasPendingChanges(false);
    await client.invalidateQueries({ queryKey: KEY });
  }
  return (
    <Notice>
      <div className="flex flex-col items-start gap-1">
        <p>{t('web:keptForSignIn', { what: describePending(pending, text) })}</p>
        {!isOpen && <LinkButton onPress={() => setIsOpen(true)}>{t('web:cannotSignIn')}</LinkButton>}
        {isOpen && (
          <>
            <p>{t('web:cannotSignInHint')}</p>
            <div className="mt-1 flex flex-wrap gap-2">
              <Button
                onPress={() =>
                  void pendingOnDevice().then((waiting) =>
                    saveBlob(
                      new Blob([pendingAsText(waiting, text)], { type: 'text/plain' }),
                      t('web:copyName'),
                    ),
                  )
                }
              >
                {t('web:saveCopy')}
              </Button>
              <Button onPress={() => setIsAsking(true)}>{t('web:removeKept')}</Button>
            </div>
          </>
        )}
      </div>
      <ConfirmRemove
        title={t('web:removeAllTitle')}
        question={isAsking ? t('web:removeNeverSent') : undefined}
        confirmText={t('web:removeKept')}
        onConfirm={remove}
        onClose={() => setIsAsking(false)}
      />
    </Notice>
  );
}

async function countOnDevice() {
  const waiting = await pendingOnDevice();
  // Changes whose key is gone can't be decrypted, so they don't count.
  setHasPendingChanges(waiting.length > 0);
  return waiting.map(({ kind }) => ({ kind }));
}
