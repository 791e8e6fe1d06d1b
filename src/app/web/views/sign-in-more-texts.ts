import { sharedComputer } from '#text/shared-computer.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the text exists before the choice renders.
bringTexts(sharedComputer);
