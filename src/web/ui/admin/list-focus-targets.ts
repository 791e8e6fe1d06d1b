import { createFocusTarget } from '../focus-target.ts';

/** The heading of a list: it takes the focus when the focused element is gone from the list. */
export const listTitle = createFocusTarget();
/** The screen's search box: the key '/' focuses it. */
export const listSearch = createFocusTarget();
/** The list's Add button: the key 'n' presses it. */
export const listAdd = createFocusTarget();
/** The select that a whole screen depends on: it takes the focus when that screen's content has been replaced. */
export const filterSelect = createFocusTarget();
