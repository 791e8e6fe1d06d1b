import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { canonicalMailbox } from '#shared/email-address.ts';
import { deleteVerifierEmailsTo } from '../external-verifiers/server/store.ts';
import { deleteEmailPreference, findEmailPreference } from '../weekly-reminder/server/store.ts';

/**
 * The user's weekly reminder preference. Emails to external verifiers are left out, because they go to people without an
 * account.
 */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [{ name: 'verifierMail', read: async () => (await findEmailPreference(db, id)) ?? null }];
}

/** Deletes the user's reminder preference, and the links emailed to their addresses as an external verifier. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id, addresses }: Person): Promise<void> {
  await deleteEmailPreference(trx, id);
  for (const address of addresses) await deleteVerifierEmailsTo(trx, canonicalMailbox(address));
}

export const DELETED_COLUMNS = [
  'verifier_email_preferences.user_id',
  'external_verifier_requests.address',
  'external_verifier_requests.address_key',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {
  'external_verifier_requests.token_hash': 'the hash of a link; deleted with the email',
  'external_verifier_requests.made_day': 'the day of an email; deleted with it',
  'external_verifier_requests.delivery': 'whether an email was sent; deleted with it',
  'verifier_email_preferences.last_week': 'deleted with the reminder preference',
  'external_verifier_unsubscribes.address_hash':
    'an unsubscription must outlast all other data about a person',
} as const satisfies Partial<Record<Column, string>>;
