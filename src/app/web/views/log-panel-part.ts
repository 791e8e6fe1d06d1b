import './volunteer-texts.ts';

/** What opens when an activity is picked, and what stands there once hours are logged, with its texts. */
export { LogPanel } from '#rooms/time-entries/web/log-panel.tsx';
export { LoggedCard } from '#rooms/time-entries/web/logged-card.tsx';
