import type { Instant } from '#shared/calendar-date.ts';
import { canonicalMailbox } from '#shared/email-address.ts';
import { collect } from '../db/chunks.ts';
import type { Db, Trx } from '../db/database.ts';
import { hashToken } from '../secrets.ts';

// People without an account who unsubscribed. Only a hash of the mailbox is stored, enough to recognize it.

/** Unsubscribes the mailbox of a person without an account. */
export async function unsubscribeAddress(trx: Trx, address: string, at: Instant): Promise<void> {
  await trx
    .insertInto('external_verifier_unsubscribes')
    .values({ address_hash: hashToken(canonicalMailbox(address)), stopped_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Whether the mailbox of an address is unsubscribed. */
export async function isUnsubscribed(db: Db, address: string): Promise<boolean> {
  return (await unsubscribedAmong(db, [address])).has(address);
}

/** Returns which of the addresses are unsubscribed. */
export async function unsubscribedAmong(db: Db, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const hashes = new Map(addresses.map((address) => [address, hashToken(canonicalMailbox(address))]));
  const rows = await collect([...new Set(hashes.values())], (some) =>
    db
      .selectFrom('external_verifier_unsubscribes')
      .select('address_hash')
      .where('address_hash', 'in', some)
      .execute(),
  );
  const stopped = new Set(rows.map((row) => row.address_hash));
  return new Set(addresses.filter((address) => stopped.has(hashes.get(address) ?? '')));
}
