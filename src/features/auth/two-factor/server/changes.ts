import { lockOwnAccount } from '#features/users/server/current-account.ts';
import { canEmail } from '#features/users/server/email-limits.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Row } from '#server/db/tables.ts';
import type { Deps } from '#server/deps.ts';
import { consumeAttempt, hourly } from '#server/http/rate-limit.ts';
import { type Acting, actorOf, type Viewer } from '#server/http/viewer.ts';
import { rejectAssignedPassword } from '../../passwords/server/assigned-password.ts';
import { findOwnCredentials } from '../../server/credentials-store.ts';
import { queueTwoFactorEmail } from './emails.ts';

// Each change sends an email.
const POLICY = hourly(10, 300);

/** What the audit log records about each change, and the counter that limits it. */
const CHANGES = {
  'second-proof-added': { action: 'second-proof.add', counter: 'second-proof-changes' },
  'second-proof-removed': { action: 'second-proof.remove', counter: 'second-proof-changes' },
  'second-proof-codes': { action: 'second-proof.codes', counter: 'second-proof-changes' },
  'passkey-added': { action: 'passkey.add', counter: 'passkey-changes' },
  'passkey-removed': { action: 'passkey.remove', counter: 'passkey-changes' },
} as const;

/** Returns the viewer's account. Throws while it may not add a second factor. */
export async function requireMayAdd(deps: Deps, viewer: Viewer) {
  const user = await findOwnCredentials(deps.database.db, viewer.userId);
  rejectAssignedPassword(deps, user);
  return user;
}

/**
 * Runs a change of the viewer's second factor, emails the viewer about it and records it. The account is locked, so that the
 * second of two concurrent changes sees the first.
 */
export async function changing<Answer>(
  deps: Deps,
  { viewer, request }: Acting,
  change: keyof typeof CHANGES,
  run: (trx: Trx, user: Row<'users'>) => Promise<Answer>,
): Promise<Answer> {
  const { action, counter } = CHANGES[change];
  const tries = { key: `${counter}:${viewer.userId}`, policy: POLICY };
  await consumeAttempt(deps.database, [tries], request.at);
  const isAddition = change === 'second-proof-added' || change === 'passkey-added';
  const { email, email_verified_at } = isAddition
    ? await requireMayAdd(deps, viewer)
    : await findOwnCredentials(deps.database.db, viewer.userId);
  // Rate-limited, because an unconfirmed address may be a stranger's.
  const mayNotify = email_verified_at !== null || (await canEmail(deps, request, email, viewer.userId));
  return transaction(deps.database, async (trx) => {
    const user = await lockOwnAccount(trx, viewer);
    const answer = await run(trx, user);
    if (mayNotify) await queueTwoFactorEmail(trx, deps, user, { change, at: request.at });
    await recordEvent(trx, actorOf(viewer, request), { action, subject: 'user', subjectId: viewer.userId });
    return answer;
  });
}
