import { useState } from 'react';
import { sharedComputer } from '#text/shared-computer.ts';
import { isSharedComputer, setSharedComputer } from '#web/lib/shared-computer.ts';
import { bringTexts, useText } from '#web/lib/text.ts';
import { Checkbox } from '#web/ui/checkbox.tsx';

bringTexts(sharedComputer);

/** 'This is a shared computer': what is kept here then ends with the session, by whichever way somebody signs in. */
export function SharedComputer() {
  const { t } = useText();
  const [isShared, setIsShared] = useState(isSharedComputer);
  return (
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
  );
}
