import { volunteer } from '#text/volunteer.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before a screen renders.
bringTexts(volunteer);
