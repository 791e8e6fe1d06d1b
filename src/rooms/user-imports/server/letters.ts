import { sayFrom } from '#base/message.ts';
import { type Addressee, firstPasswordLetter } from '#rooms/users/server/letters.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/mail/letter.ts';
import { IMPORT } from '../contract.ts';
import type texts from '../mail-text.en.json';

const say = sayFrom<typeof texts>('user-imports');

/** The account came with a list of many: the link that sets its first password. */
export function importedLetter(deps: Deps, to: Addressee, token: string): Letter {
  const { districtName: district } = deps.config;
  return firstPasswordLetter(deps, to, token, say('mailImported', { district, days: IMPORT.linkDays }));
}
