import { offline } from '#text/offline.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before anything is kept.
bringTexts(offline);
