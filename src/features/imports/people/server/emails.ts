import { type Addressee, firstPasswordLetter } from '#features/users/server/emails.ts';
import type { Deps } from '#server/deps.ts';
import type { Letter } from '#server/email/email.ts';
import { sayFrom } from '#shared/i18n/message.ts';
import { IMPORT } from '../contract.ts';
import type texts from '../messages.emails.en.json';

const say = sayFrom<typeof texts>('people');

/** The account came with a list of many: the link that sets its first password. */
export function importedLetter(deps: Deps, to: Addressee, token: string): Letter {
  const { districtName: district } = deps.config;
  return firstPasswordLetter(deps, to, token, say('mailImported', { district, days: IMPORT.linkDays }));
}
