import { printedEntries } from '#text/printed-entries.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the part renders.
bringTexts(printedEntries);
