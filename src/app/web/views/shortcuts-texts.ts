import { shortcuts } from '#text/shortcuts.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the list renders.
bringTexts(shortcuts);
