import { useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useWaiting } from './admin-api.ts';

/** Explains next to email actions that emails reach nobody until a mail server is configured. */
export function EmailNotice() {
  const { t } = useTranslation();
  const mayRun = useCan()('run the district');
  if (useWaiting().data?.lettersInFolder !== true) return null;
  return <Notice>{t(mayRun ? 'users:lettersInFolder' : 'users:noEmailYet')}</Notice>;
}
