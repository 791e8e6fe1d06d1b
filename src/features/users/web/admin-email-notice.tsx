import { useMay } from '#web/api/permissions.ts';
import { useText } from '#web/i18n/translate.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useWaiting } from './admin-api.ts';

/** Says, beside what sends letters, that they reach nobody while no mail server is set. */
export function LettersNotice() {
  const { t } = useText();
  const mayRun = useMay()('run the district');
  if (useWaiting().data?.lettersInFolder !== true) return null;
  return <Notice>{t(mayRun ? 'users:lettersInFolder' : 'users:noEmailYet')}</Notice>;
}
