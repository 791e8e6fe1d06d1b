import { mailingTexts } from '#text/mailings.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the part renders.
bringTexts(mailingTexts);
