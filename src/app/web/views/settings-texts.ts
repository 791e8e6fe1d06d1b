import { settings } from '#text/settings.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the dialog renders.
bringTexts(settings);
