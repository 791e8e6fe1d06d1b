import type { Actor } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import { type Reopened, reopenDecisions } from '#server/entry-decisions-store.ts';
import { canonicalOwner } from '#shared/email-address.ts';
import { emailKey } from '../contract.ts';
import { addressKeyOf, everyAddressOf, rememberAddress } from './past-email-store.ts';

/**
 * Writes an account with the address that it is to have; every change of one goes this way. Another address than before is
 * remembered, and hours that were decided from the new one wait again.
 */
export async function withAddress(
  trx: Trx,
  actor: Actor,
  { userId, email }: { userId: number; email: string },
  write: () => Promise<unknown>,
): Promise<void> {
  const isAnother = (await addressKeyOf(trx, userId)) !== emailKey(email);
  if (isAnother) await rememberAddress(trx, userId);
  await write();
  if (isAnother) await reopenOwnDecisions(trx, actor, userId);
}

/**
 * Puts hours back to waiting that their own volunteer decided about, as themselves or from one of their addresses: another
 * address or a merge can make that of a decision by somebody else. Returns them, to be put back when a merge is undone.
 */
export async function reopenOwnDecisions(trx: Trx, actor: Actor, userId: number): Promise<Reopened[]> {
  const own = new Set((await everyAddressOf(trx, [userId])).map(({ address }) => canonicalOwner(address)));
  return reopenDecisions(
    trx,
    actor,
    { userId, all: false },
    ({ decided_by, decided_outside }) =>
      decided_by === userId || (decided_outside !== null && own.has(canonicalOwner(decided_outside))),
  );
}
