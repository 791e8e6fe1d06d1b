import { volunteer } from '#shared/i18n/volunteer-messages.ts';
import { addLazyMessages } from '#web/i18n/translate.ts';

// Runs when this module loads, so the messages exist before a screen renders.
addLazyMessages(volunteer);
