import { useEffect } from 'react';
import { t } from '../i18n/translate.ts';

/**
 * Puts the name of the current screen in the page's title, 'Log Time - Volunteer Time Tracker'. Screen readers read it
 * first, and browsers show it on the tab (WCAG 2.4.2). Without a name the title is unchanged.
 */
export function usePageTitle(shown: string | undefined): void {
  useEffect(() => {
    if (shown !== undefined) document.title = `${shown} - ${t('district-settings:title')}`;
  }, [shown]);
}
