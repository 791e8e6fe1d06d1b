import { useEffect, useEffectEvent } from 'react';
import { baseMessages } from '#base/messages.ts';
import { notify } from '../lib/notify.ts';
import { useText } from '../lib/text.ts';
import { usePart } from '../lib/use-part.ts';
import type { SettingsProps } from './settings-dialog.tsx';

/** Account Settings, loaded behind the dashboard so that the dashboard itself comes sooner. */
export function Settings(props: SettingsProps) {
  const { say } = useText();
  const dialog = usePart('settings', () => import('./settings-dialog.tsx'));

  const giveUp = useEffectEvent(() => {
    notify.failure(say(baseMessages.networkError));
    props.onClose();
    void dialog.refetch();
  });
  const isMissing = props.isOpen && dialog.isError;
  useEffect(() => {
    if (isMissing) giveUp();
  }, [isMissing]);

  return dialog.data === undefined ? null : <dialog.data.SettingsDialog {...props} />;
}
