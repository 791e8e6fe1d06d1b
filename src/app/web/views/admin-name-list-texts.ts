import { nameLists } from '#text/name-lists.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the lists render.
bringTexts(nameLists);
