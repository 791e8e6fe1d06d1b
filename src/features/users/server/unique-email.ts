import type { Trx } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import { errors } from '#shared/errors.ts';
import { messages } from '../contract.ts';
import { findCredentials } from './store.ts';

/**
 * Throws 409 if another account has this email address. Checks before the write, because a failed write aborts the transaction
 * on PostgreSQL; the unique index catches the rest (`throwEmailTaken`).
 */
export async function rejectTakenEmail(trx: Trx, email: string, ownId?: number): Promise<void> {
  const known = await findCredentials(trx, email);
  if (known !== undefined && known.id !== ownId) throw errors.conflict(messages.emailTaken);
}

/** Throws 409 for a write that failed because another account has the email address, and rethrows any other error. */
export function throwEmailTaken(error: unknown): never {
  if (databaseFailure(error) === 'unique') throw errors.conflict(messages.emailTaken);
  throw error;
}
