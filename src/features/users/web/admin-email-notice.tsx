import { useCan } from '#web/api/permissions.ts';
import { useTranslation } from '#web/i18n/translate.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useWaiting } from './admin-api.ts';

/** Shown next to email actions while no mail server is configured: explains that emails reach no one. */
export function EmailNotice() {
  const { t } = useTranslation();
  const mayRun = useCan()('run the district');
  if (useWaiting().data?.lettersInFolder !== true) return null;
  return <Notice>{t(mayRun ? 'users:lettersInFolder' : 'users:noEmailYet')}</Notice>;
}
