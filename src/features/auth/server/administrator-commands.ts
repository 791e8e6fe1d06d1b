import { mayGive } from '#features/users/server/account-permissions.ts';
import {
  CHOSEN_BY_OWNER,
  findCredentials,
  lockUser,
  rightsHolderOf,
} from '#features/users/server/accounts.ts';
import { type Actor, recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { createPasswordLink } from '../passwords/server/password-reset.ts';
import { endSessionsOf } from '../sessions/server/store.ts';
import { setPassword } from './credentials.ts';
import { findAdministrators, makeAdministrator } from './credentials-store.ts';

const LINK_HOURS = 24;

type Known = Pick<Deps, 'database' | 'clock'>;

/** A district administrator, as the commands on the server list them. */
export type Listed = Readonly<{ email: string; name: string; isActive: boolean; hasPassword: boolean }>;

/** Every administrator of the district, active or not. */
export async function listAdministrators(db: Db): Promise<Listed[]> {
  return (await findAdministrators(db)).map((row) => ({
    email: row.email,
    name: `${row.first_name} ${row.last_name}`,
    isActive: row.is_active === 1,
    hasPassword: row.password_hash !== null,
  }));
}

/** Creates a one-time token that sets a new password for an active account. The account's earlier link becomes invalid. */
export function resetPasswordFromCommandLine(
  { database, clock }: Known,
  email: string,
): Promise<{ token: string; hours: number } | 'no account' | 'inactive'> {
  const at = clock.now();
  return transaction(database, async (trx) => {
    const known = await findCredentials(trx, email);
    if (known === undefined) return 'no account';
    if (known.is_active !== 1) return 'inactive';
    const token = await createPasswordLink(trx, known.id, at, LINK_HOURS);
    await recordEvent(trx, byServer(at), { action: 'password.forget', subject: 'user', subjectId: known.id });
    return { token, hours: LINK_HOURS };
  });
}

/**
 * Makes an account an active district administrator and signs it out. An unconfirmed address needs the operator's confirmation.
 */
export function makeAdministratorFromCommandLine(
  { database, clock }: Known,
  email: string,
  { isUnconfirmedFine }: { isUnconfirmedFine: boolean },
): Promise<'no account' | 'unconfirmed' | 'already' | 'made'> {
  const at = clock.now();
  return transaction(database, async (trx) => {
    const known = await findCredentials(trx, email);
    const user = known && (await lockUser(trx, known.id));
    if (user === undefined) return 'no account';
    if (user.role === 'admin' && user.is_active === 1) return 'already';
    if (user.email_verified_at === null && !isUnconfirmedFine) return 'unconfirmed';
    await makeAdministrator(trx, user.id);
    await endSessionsOf(trx, user.id);
    // The user who assigned the password may know it without being a district administrator.
    if (user.password_given_at !== null && !(await mayMake(trx, user.password_given_by))) {
      await setPassword(trx, user.id, null, CHOSEN_BY_OWNER);
    }
    await recordEvent(trx, byServer(at), {
      action: 'account.edit',
      subject: 'user',
      subjectId: user.id,
      before: { role: user.role, isActive: user.is_active === 1 },
      after: { role: 'admin', isActive: true },
    });
    return 'made';
  });
}

async function mayMake(db: Db, giverId: number | null): Promise<boolean> {
  return giverId !== null && mayGive(await rightsHolderOf(db, giverId), { role: 'admin' });
}

const byServer = (at: Actor['at']): Actor => ({ userId: null, at, address: null, requestId: null });
