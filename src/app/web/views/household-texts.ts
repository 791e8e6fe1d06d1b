import { householdTexts } from '#text/households.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the card renders.
bringTexts(householdTexts);
