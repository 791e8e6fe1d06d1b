import { administration } from '#text/administration.ts';
import { bringTexts } from '#web/lib/text.ts';

// On loading: the parts of the view find their words when they are drawn.
bringTexts(administration);
