import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../../messages.external-verifiers.en.json';

export const say = messageFactory<typeof texts>('verification');
