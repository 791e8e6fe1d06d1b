import { sayFrom } from '#base/message.ts';
import type texts from '../mail-text.en.json';

/** The room's texts that only the server says: findings, and the test letter. */
export const sayOnServer = sayFrom<typeof texts>('system');
