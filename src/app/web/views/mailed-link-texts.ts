import { mailedLinks } from '#text/mailed-links.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the page renders.
bringTexts(mailedLinks);
