import { severalDays } from '#text/several-days.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the calendar renders.
bringTexts(severalDays);
