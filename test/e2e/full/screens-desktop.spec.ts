import { checkScreens } from '../check-screens.ts';

checkScreens('desktop');
