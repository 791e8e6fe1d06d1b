import { useState } from 'react';
import { isSharedComputer, setSharedComputer } from '#web/api/shared-computer.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { hasPendingChanges } from '#web/offline/pending-changes.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';
import { lazyScreen } from '#web/ui/lazy-screen.tsx';

const KeptNote = lazyScreen(async () => (await import('./offline/pending-notice.tsx')).KeptNote);

/**
 * 'This is a shared computer': what is kept here then ends with the session, by whichever way somebody signs in. And what
 * waits on this device, whoever's it is; its code is loaded only then.
 */
export function SignInMore() {
  const { t } = useTranslation();
  const [isShared, setIsShared] = useState(isSharedComputer);
  const [isWaiting] = useState(hasPendingChanges);
  return (
    <>
      <div className="-mx-2">
        <Checkbox
          name="sharedComputer"
          isSelected={isShared}
          onChange={(next) => {
            setSharedComputer(next);
            setIsShared(next);
          }}
        >
          {t('web:sharedComputer')}
        </Checkbox>
      </div>
      {isWaiting && <KeptNote />}
    </>
  );
}
