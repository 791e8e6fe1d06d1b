import './volunteer-texts.ts';

/** The page on which anyone checks a service letter. */
export { CheckPage } from '#rooms/letters/web/check-page.tsx';
