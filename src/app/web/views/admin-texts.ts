import './entry-state-texts.ts';
import { administration } from '#text/administration.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the admin screens render.
bringTexts(administration);
