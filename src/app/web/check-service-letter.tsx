import './volunteer-messages.ts';

/** The public page that checks a service letter. */
export { CheckPage } from '#features/reports/service-letters/web/letter-check-page.tsx';
