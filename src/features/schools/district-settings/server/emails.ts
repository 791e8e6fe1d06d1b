import type { Deps } from '#server/deps.ts';
import { sayFrom } from '#shared/i18n/message.ts';
import type texts from '../messages.emails.en.json';

const say = sayFrom<typeof texts>('district-settings');

/** What the letter says that tries a mail server. */
export function testLetter({ config: { districtName: district } }: Deps) {
  return { subject: say('mailTestSubject', { district }), body: [say('mailTestBody', { district })] };
}
