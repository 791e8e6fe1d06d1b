import { useState } from 'react';
import { isSharedComputer, setSharedComputer } from '#web/api/shared-computer.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { hasPendingChanges } from '#web/offline/pending-changes.ts';
import { CheckboxField } from '#web/ui/checkbox.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

const PendingNotice = lazyScreen(async () => (await import('./offline/pending-notice.tsx')).PendingNotice);

/**
 * 'This is a shared computer': stored data then ends with the session, however the user signs in. Also shows the
 * pending changes on this device, of any account, whose code loads only if there are any.
 */
export function SignInOptions() {
  const { t } = useTranslation();
  const [isShared, setIsShared] = useState(isSharedComputer);
  const [isWaiting] = useState(hasPendingChanges);
  return (
    <>
      <CheckboxField
        name="sharedComputer"
        isSelected={isShared}
        onChange={(next) => {
          setSharedComputer(next);
          setIsShared(next);
        }}
      >
        {t('web:sharedComputer')}
      </CheckboxField>
      {isWaiting && <PendingNotice />}
    </>
  );
}
