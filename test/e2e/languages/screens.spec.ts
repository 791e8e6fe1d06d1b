import { ACCOUNT_SCREENS } from '../account-screens.ts';
import { checkScreens } from '../check-screens.ts';
import { PHOTO_SCREENS } from '../photo-screens.ts';
import { SCREENS } from '../screens.ts';
import { SYSTEM_SCREENS } from '../system-screens.ts';
import { checkSpokenScreen, IS_WHOLE } from './check-language.ts';
import { IS_MARKED } from './pseudo-language.ts';

/** Screens that together show most texts for volunteers. */
const SOME = [
  'sign in with faults',
  'register with faults',
  'Log Time with every group open',
  'an entry with faults',
  'the question before more hours of a day',
  'logged hours with Undo',
  'an entry to edit',
  'the list of shortcuts',
  'My Suggestions in every status',
  'account settings',
];

if (IS_WHOLE) {
  for (const screens of [SCREENS, ACCOUNT_SCREENS, PHOTO_SCREENS, SYSTEM_SCREENS]) {
    checkScreens('phone', screens, checkSpokenScreen);
    checkScreens('desktop', screens, checkSpokenScreen);
  }
} else {
  // The sign-in page and the dashboard.
  const shown = IS_MARKED ? ['sign in with faults', 'Log Time with every group open'] : SOME;
  const screens = [...SCREENS, ...ACCOUNT_SCREENS].filter(([name]) => shown.includes(name));
  checkScreens('phone', screens, checkSpokenScreen);
}
