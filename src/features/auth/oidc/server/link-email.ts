import { emailRecipientOf, lockUser } from '#features/users/server/accounts.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, queueEmail } from '#server/email/outbox.ts';
import type { Request } from '#server/http/viewer.ts';
import { assertDefined } from '#shared/assert-defined.ts';
import { providerLinkEmail } from '../../server/emails.ts';
import { titleOf } from './redirects.ts';

/** Emails an account's owner that a provider account was linked or unlinked. */
export async function queueProviderLinkEmail(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  { userId, provider, isLinked }: { userId: number; provider: string; isLinked: boolean },
): Promise<void> {
  const user = assertDefined(await lockUser(trx, userId));
  await queueEmail(trx, deps, {
    kind: isLinked ? 'provider-linked' : 'provider-unlinked',
    userId,
    letter: providerLinkEmail(deps, emailRecipientOf(user), titleOf(deps, provider), isLinked),
    at,
    expiresAt: noticeExpiry(at),
  });
}
