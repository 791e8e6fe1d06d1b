import { transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import type { EmailContent } from '#server/email/email.ts';
import { encryptEmail, queueEncryptedEmails } from '#server/email/outbox.ts';
import { claimReminderSlot, type ReminderSlot } from './preference-store.ts';

/** Recipients per batch; a batch blocks the database for a fraction of a second. */
export const BATCH_SIZE = 100;

/**
 * Queues an email for each recipient who has not had it and has not reached the weekly limit. If several servers do this at the
 * same time, only one queues it.
 */
export async function queueReminderEmails(
  deps: Deps,
  kind: string,
  emails: readonly Readonly<{ slot: ReminderSlot; letter: EmailContent }>[],
): Promise<void> {
  const at = deps.clock.now();
  const ready = emails.map(({ slot, letter }) => ({
    slot,
    userId: slot.userId,
    letter: encryptEmail(deps, { kind, letter, at }),
  }));
  await transaction(deps.database, async (trx) => {
    const claimed = [];
    for (const email of ready) {
      if (await claimReminderSlot(trx, email.slot)) claimed.push(email);
    }
    await queueEncryptedEmails(trx, claimed);
  });
}
