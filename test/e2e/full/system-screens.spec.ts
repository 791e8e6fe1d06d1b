import { checkScreens } from '../check-screens.ts';
import { SYSTEM_SCREENS } from '../system-screens.ts';

checkScreens('phone', SYSTEM_SCREENS);
checkScreens('desktop', SYSTEM_SCREENS);
