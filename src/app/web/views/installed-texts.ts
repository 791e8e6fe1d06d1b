import { installed } from '#text/installed.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before anything says them.
bringTexts(installed);
