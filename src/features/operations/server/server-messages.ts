import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.server.en.json';

/** Messages that only the server renders: findings, and the test email. */
export const serverMessage = messageFactory<typeof texts>('operations');
