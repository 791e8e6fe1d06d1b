import { mailingChoiceTexts } from '#text/mailing-choice.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the part renders.
bringTexts(mailingChoiceTexts);
