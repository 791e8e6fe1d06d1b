import { saveFirstRunProgress } from '#features/schools/district-settings/server/settings.ts';
import { insertUser, promoteToAdministrator } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { hashPassword } from '#server/passwords.ts';
import { DEFAULT_SENDER_NAMES } from '#shared/email-settings.ts';
import { createPasswordLink } from '../passwords/server/password-reset.ts';
import { findUnclaimedAdministrator, hasAdministrator } from './credentials-store.ts';
import { removeAttachedSignIns } from './email-ownership.ts';

const LINK_HOURS = 24;

/** The first administrator: one exists already, was created from the settings, or uses a printed link. */
export type FirstAdministrator =
  | { how: 'present' }
  | { how: 'created'; email: string }
  | { how: 'link'; token: string; email: string; hours: number };

/**
 * Ensures that an administrator can sign in (decisions: ADMIN_EMAIL, ADMIN_PASSWORD). Without the settings, every start without
 * an administrator creates a new link that sets a password and invalidates the older one.
 */
export async function ensureAdministrator(deps: Deps): Promise<FirstAdministrator> {
  if (await hasAdministrator(deps.database.db)) return { how: 'present' };
  const { firstAdmin } = deps.config;
  const passwordHash = firstAdmin === undefined ? null : await hashPassword(firstAdmin.password);
  return transaction(deps.database, async (trx) => {
    if (firstAdmin !== undefined) {
      const id = await claimOrInsert(trx, deps, firstAdmin.email, passwordHash);
      await recordStart(trx, deps, id);
      return { how: 'created', email: firstAdmin.email };
    }
    const waiting = await findUnclaimedAdministrator(trx);
    const email = waiting?.email ?? deps.config.supportEmail;
    const id = waiting?.id ?? (await claimOrInsert(trx, deps, email, null));
    if (waiting === undefined) await recordStart(trx, deps, id);
    const token = await createPasswordLink(trx, id, deps.clock.now(), LINK_HOURS, true);
    return { how: 'link', token, email, hours: LINK_HOURS };
  });
}

// A user may have registered with this address before there was an administrator. That account becomes the administrator, but
// only with the password from the settings or the printed link: every other way to sign in is removed.
async function claimOrInsert(
  trx: Trx,
  deps: Deps,
  email: string,
  passwordHash: string | null,
): Promise<number> {
  const known = await promoteToAdministrator(trx, email, passwordHash);
  if (known !== undefined) {
    const actor = { userId: null, at: deps.clock.now(), address: null, requestId: null };
    await removeAttachedSignIns(trx, deps, actor, { userId: known });
    return known;
  }
  return insertUser(trx, {
    email,
    passwordHash,
    firstName: DEFAULT_SENDER_NAMES.firstName,
    lastName: DEFAULT_SENDER_NAMES.lastName,
    role: 'admin',
    isActive: true,
    at: deps.clock.now(),
  });
}

async function recordStart(trx: Trx, deps: Deps, id: number): Promise<void> {
  await saveFirstRunProgress(trx);
  const actor = { userId: null, at: deps.clock.now(), address: null, requestId: null };
  await recordEvent(trx, actor, { action: 'account.first-administrator', subject: 'user', subjectId: id });
}
