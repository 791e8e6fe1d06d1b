import './volunteer-messages.ts';
import { staff } from '#shared/i18n/staff-messages.ts';
import { addLazyMessages } from '#web/i18n/translate.ts';

// Runs when this module loads, so the messages exist before the Admin Panel renders.
addLazyMessages(staff);
