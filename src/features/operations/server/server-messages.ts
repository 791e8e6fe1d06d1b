import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

/** The room's texts that only the server says: findings, and the test letter. */
export const serverMessage = messageFactory<typeof texts>('operations');
