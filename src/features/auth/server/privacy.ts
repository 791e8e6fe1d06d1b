import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { deleteMagicLinksOf } from '../magic-link/server/store.ts';
import { deleteProviderLinksOf, exportedProvidersOf } from '../oidc/server/store.ts';
import { deletePasswordLinksOf } from '../passwords/server/password-link-store.ts';
import { endSessionsOf, exportedSessionsOf } from '../sessions/server/store.ts';
import { deleteKnownDevicesOf } from './known-device-store.ts';
import { resetDeviceThrottling } from './login-throttling.ts';

/** The sessions and linked provider accounts for a person's data export. */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'sessions', read: () => exportedSessionsOf(db, id) },
    { name: 'providers', read: () => exportedProvidersOf(db, id) },
  ];
}

/** Deletes a person's ways to sign in, except the account's own row and two-factor authentication. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await endSessionsOf(trx, id);
  await deletePasswordLinksOf(trx, id);
  await deleteMagicLinksOf(trx, id);
  await deleteProviderLinksOf(trx, id);
  await deleteKnownDevicesOf(trx, id);
  await resetDeviceThrottling(trx, id);
}

export const DELETED_COLUMNS = [
  'sessions.user_id',
  'sessions.token_hash',
  'sessions.address',
  'sessions.agent',
  'sessions.provider_session',
  'sessions.provider_id_token',
  'sessions.signed_in_by',
  'provider_links.user_id',
  'provider_links.provider',
  'provider_links.issuer',
  'provider_links.subject',
  'known_devices.user_id',
  'known_devices.mark',
  'sign_in_links.user_id',
  'sign_in_links.token_hash',
  'sign_in_links.browser_hash',
  'password_links.user_id',
  'password_links.token_hash',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {
  'provider_redirects.token_hash': 'a sign-in on its way, which is gone after minutes',
  'provider_redirects.purpose': 'a sign-in on its way, which is gone after minutes',
  'provider_redirects.browser_hash': 'a sign-in on its way, which is gone after minutes',
  'provider_redirects.sealed':
    'gone after minutes; nobody but the browser that holds its code can have it read',
  'provider_logouts.token_hash': 'the mark of a message from a sign-in service, which is gone after minutes',
} as const satisfies Partial<Record<Column, string>>;
