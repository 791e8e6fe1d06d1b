import { fresh } from '#text/fresh.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the dialog renders.
bringTexts(fresh);
