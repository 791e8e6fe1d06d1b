/** The card of a household with its texts: loaded after the list beside it. */
export { Household } from '#rooms/households/web/household.tsx';
