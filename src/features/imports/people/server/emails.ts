import { firstPasswordEmail } from '#features/users/server/emails.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import type { PersonRecipient } from '#server/email/personal-email.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { IMPORT } from '../contract.ts';
import type texts from '../messages.server.en.json';

const say = messageFactory<typeof texts>('people');

/** The email to an imported person, with the link that sets their first password. */
export function importedAccountEmail(deps: Deps, to: PersonRecipient, token: string): EmailContent {
  const { districtName: district } = deps.config;
  return firstPasswordEmail(deps, to, token, say('mailImported', { district, days: IMPORT.linkDays }));
}
