import './volunteer-messages.ts';

/** The page on which anyone checks a service letter. */
export { CheckPage } from '#features/reports/service-letters/web/letter-check-page.tsx';
