import { createFocusTarget } from '../focus-target.ts';

/** The heading of a list. It takes the focus when the focused element is gone. */
export const listTitle = createFocusTarget();
/** The screen's search box: the key '/' focuses it. */
export const listSearch = createFocusTarget();
/** The list's Add button: the key 'n' presses it. */
export const listAdd = createFocusTarget();
/**
 * The select that a whole screen depends on. It takes the focus after a new choice has replaced the screen's content.
 */
export const filterSelect = createFocusTarget();
