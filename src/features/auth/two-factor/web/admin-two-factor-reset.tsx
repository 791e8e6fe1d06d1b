import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '#web/api/call.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Button, LinkButton } from '#web/ui/button.tsx';
import { MutationMessage } from '#web/ui/mutation-message.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { getSecondFactorOf, resetSecondFactor } from '../admin-reset-contract.ts';

/** In a user's form: removes the second factor of a user who lost it. */
export function TwoFactorReset({ id }: { id: number }) {
  const { t } = useTranslation();
  const params = { id };
  const [isAsking, setIsAsking] = useState(false);
  const own = useQuery({
    queryKey: ['admin', 'second-factor-of', id],
    queryFn: () => call(getSecondFactorOf, { params }),
    // Not refetched after other changes, because the user may just have been deleted.
    staleTime: 'static',
    gcTime: 0,
  });
  const reset = useMutation({
    mutationFn: () => call(resetSecondFactor, { params }),
    onSettled: () => void own.refetch(),
  });
  return (
    <>
      {own.data?.hasSecondFactor === true && !isAsking && (
        <div>
          <LinkButton onPress={() => setIsAsking(true)}>{t('users:resetSecond')}</LinkButton>
        </div>
      )}
      {own.data?.hasSecondFactor === true && isAsking && (
        <Notice>
          <p>{t('users:resetSecondQuestion')}</p>
          <div className="mt-2 flex flex-wrap gap-2">
            <Button onPress={() => reset.mutate()} isBusy={reset.isPending}>
              {t('users:resetSecond')}
            </Button>
            <Button onPress={() => setIsAsking(false)}>{t('web:cancel')}</Button>
          </div>
        </Notice>
      )}
      <MutationMessage mutation={reset} />
    </>
  );
}
