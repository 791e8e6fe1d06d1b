import { checkScreens } from '../check-screens.ts';
import { PHOTO_SCREENS } from '../photo-screens.ts';

checkScreens('phone', PHOTO_SCREENS);
checkScreens('desktop', PHOTO_SCREENS);
