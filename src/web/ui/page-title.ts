import { useEffect } from 'react';
import { t } from '../i18n/translate.ts';

/**
 * Names the screen that is shown in the page's title, 'Log Time - Volunteer Time Tracker': a screen reader says that first,
 * and browsers list it among their tabs (WCAG 2.4.2). Without a name it stays as it is.
 */
export function usePageTitle(shown: string | undefined): void {
  useEffect(() => {
    if (shown !== undefined) document.title = `${shown} - ${t('district-settings:title')}`;
  }, [shown]);
}
