import './verification-texts.ts';

/** What the form of Log Time asks about odd hours, with its texts: loaded where a school verifies hours. */
export { oddities } from '#rooms/time-entries/web/odd-hours.ts';
