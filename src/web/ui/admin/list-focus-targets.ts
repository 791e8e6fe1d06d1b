import { pagePlace } from '../focus-target.ts';

/** The heading of a list: it takes the focus when the focused element is gone from the list. */
export const listTitle = pagePlace();
/** The screen's search box: the key '/' focuses it. */
export const listSearch = pagePlace();
/** The list's Add button: the key 'n' presses it. */
export const listAdd = pagePlace();
/** The select that a whole screen depends on: it takes the focus when that screen's content has been replaced. */
export const filterSelect = pagePlace();
