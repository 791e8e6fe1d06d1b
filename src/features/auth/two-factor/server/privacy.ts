import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { Column, Person, Section } from '#server/personal-data/data-export.ts';
import { ownPasskeys } from './passkey-store.ts';
import { removeTwoFactor } from './removal.ts';
import { deleteGracePeriod, exportTwoFactorStatus } from './store.ts';

/**
 * Exports whether there is a second factor and when it was used. Secrets and codes are never exported, not even to their owner.
 */
export function exportPersonalData(db: Db, { id }: Person): readonly Section[] {
  return [
    { name: 'secondProof', read: () => exportTwoFactorStatus(db, id) },
    { name: 'passkeys', read: () => ownPasskeys(db, id) },
  ];
}

/** Deletes a person's second factor and pending sign-ins. */
export async function deletePersonalData(trx: Trx, _deps: Deps, { id }: Person): Promise<void> {
  await removeTwoFactor(trx, id);
  await deleteGracePeriod(trx, id);
}

export const DELETED_COLUMNS = [
  'passkeys.user_id',
  'passkeys.credential_id',
  'passkeys.user_handle',
  'passkeys.public_key',
  'passkeys.transports',
  'passkeys.rp_id',
  'passkeys.name',
  'totp_secrets.user_id',
  'totp_secrets.sealed',
  'totp_offers.user_id',
  'totp_offers.sealed',
  'recovery_codes.user_id',
  'recovery_codes.code_hash',
  'sign_in_challenges.user_id',
  'sign_in_challenges.token_hash',
  'sign_in_challenges.device_hash',
  'sign_in_challenges.sealed',
  'two_factor_grace_periods.user_id',
] as const satisfies readonly Column[];

export const RETAINED_COLUMNS = {
  'used_challenges.challenge_hash': 'names nobody, and is gone within the hour',
} as const satisfies Partial<Record<Column, string>>;
