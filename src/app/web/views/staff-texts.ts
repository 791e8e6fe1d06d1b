import './volunteer-texts.ts';
import { staff } from '#text/staff.ts';
import { bringTexts } from '#web/lib/text.ts';

// Runs when this module loads, so that the texts exist before the Admin Panel renders.
bringTexts(staff);
