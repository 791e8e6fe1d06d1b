import { ACCOUNT_SCREENS } from '../account-screens.ts';
import { checkScreens } from '../check-screens.ts';

checkScreens('phone', ACCOUNT_SCREENS);
checkScreens('desktop', ACCOUNT_SCREENS);
