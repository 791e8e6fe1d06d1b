import type { Deps } from '#server/deps.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

const say = messageFactory<typeof texts>('district-settings');

/** What the letter says that tries a mail server. */
export function testEmail({ config: { districtName: district } }: Deps) {
  return { subject: say('mailTestSubject', { district }), body: [say('mailTestBody', { district })] };
}
