import { milestoneTexts } from '#text/goals.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the parts render.
bringTexts(milestoneTexts);
