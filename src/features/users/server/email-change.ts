import { deleteMagicLinksOf } from '#features/auth/magic-link/server/store.ts';
import { deletePasswordLinksOf } from '#features/auth/passwords/server/password-link-store.ts';
import { NOTHING, removeProviderLinks } from '#features/auth/server/email-ownership.ts';
import { record } from '#server/audit-log.ts';
import type { Trx } from '#server/db/database.ts';
import { databaseFailure } from '#server/db/database-errors.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, post } from '#server/email/outbox.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { fromColumns } from '#shared/entity-fields.ts';
import { refuse } from '#shared/errors.ts';
import { emailKey, messages } from '../contract.ts';
import { USER_FIELDS } from '../user-fields.ts';
import { emailChangedEmail } from './emails.ts';
import { emailRecipientOf, findCredentials, lockUser, UNPROVEN_EMAIL, updateUser } from './store.ts';

/**
 * Gives an account the address that its person has proven to get mail at; one that it has already stays. 409 when it is
 * somebody else's by now: the person who opened the link may know that. Links to providers under the old address end. Returns
 * whether it moved from an address that was proven.
 */
export async function changeAccountEmail(
  trx: Trx,
  deps: Deps,
  request: Request,
  { userId, email }: { userId: number; email: string },
): Promise<boolean> {
  const before = await lockUser(trx, userId);
  if (before === undefined || before.email_key === emailKey(email)) return false;
  if ((await findCredentials(trx, email)) !== undefined) throw refuse.conflict(messages.emailTaken);
  const { at } = request;
  const user = { ...fromColumns(USER_FIELDS, before), email, standing: UNPROVEN_EMAIL };
  const actor = { ...actorOf(undefined, request), userId };
  await updateUser(trx, actor, userId, user).catch((error: unknown) => {
    if (databaseFailure(error) === 'unique') throw refuse.conflict(messages.emailTaken);
    throw error;
  });
  await deletePasswordLinksOf(trx, userId);
  await deleteMagicLinksOf(trx, userId);
  const providers = await removeProviderLinks(trx, deps, actor, userId);
  if (before.email_verified_at !== null) {
    const letter = emailChangedEmail(deps, emailRecipientOf(before), email, { ...NOTHING, providers });
    await post(trx, deps, { kind: 'address-changed', userId, letter, at, expiresAt: noticeExpiry(at) });
  }
  await record(trx, actor, {
    action: 'account.edit',
    subject: 'user',
    subjectId: userId,
    before: { email: before.email },
    after: { email },
  });
  return before.email_verified_at !== null;
}
