import { goalTexts } from '#text/goals.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the card renders.
bringTexts(goalTexts);
