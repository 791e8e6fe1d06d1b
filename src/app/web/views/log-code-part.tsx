/** What the address on a sign-in sheet opens, with its texts. */
export { OpenedByCode } from '#rooms/activities/web/opened-by-code.tsx';
