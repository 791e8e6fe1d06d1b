import { pagePlace } from '../../lib/page-place.ts';

/** The heading of a list: it takes the focus when what had it is gone from the list. */
export const listTitle = pagePlace();
/** The search box of the screen: the key '/' leads to it. */
export const listSearch = pagePlace();
/** The button that adds to the list: the key 'n' presses it. */
export const listAdd = pagePlace();
/** The choice of what a whole screen is about: it takes the focus when that has gone. */
export const filterSelect = pagePlace();
