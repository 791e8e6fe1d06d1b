import './verification-texts.ts';

/** What shows a volunteer where their hours stand, with its texts: loaded where a school verifies hours. */
export * from '#rooms/time-entries/web/own-verification.tsx';
