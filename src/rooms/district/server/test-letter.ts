import { sayFrom } from '#base/message.ts';
import type { Deps } from '#server/deps.ts';
import type texts from '../mail-text.en.json';

const say = sayFrom<typeof texts>('district');

/** What the letter says that tries a mail server. */
export function testLetter({ config: { districtName: district } }: Deps) {
  return { subject: say('mailTestSubject', { district }), body: [say('mailTestBody', { district })] };
}
