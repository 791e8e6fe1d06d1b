import { roles } from '#text/roles.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before a role is named.
bringTexts(roles);
