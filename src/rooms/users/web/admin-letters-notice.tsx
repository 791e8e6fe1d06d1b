import { useText } from '#web/lib/text.ts';
import { Notice } from '#web/ui/notice.tsx';
import { useWaiting } from './admin-api.ts';

/** Says, beside what sends letters, that they reach nobody while no mail server is set. */
export function LettersNotice() {
  const { t } = useText();
  return useWaiting().data?.lettersInFolder === true ? <Notice>{t('users:lettersInFolder')}</Notice> : null;
}
