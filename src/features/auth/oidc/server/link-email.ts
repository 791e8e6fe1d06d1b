import { providerLetter } from '#features/users/server/emails.ts';
import { addresseeOf, holdUser } from '#features/users/server/store.ts';
import type { Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { noticeExpiry, post } from '#server/email/outbox.ts';
import type { Request } from '#server/http/viewer.ts';
import { sure } from '#shared/assert-defined.ts';
import { titleOf } from './redirects.ts';

/** Tells an account's owner that an account elsewhere opens it, or does so no longer. */
export async function postProviderNotice(
  trx: Trx,
  deps: Deps,
  { at }: Request,
  { userId, provider, isLinked }: { userId: number; provider: string; isLinked: boolean },
): Promise<void> {
  const user = sure(await holdUser(trx, userId));
  await post(trx, deps, {
    kind: isLinked ? 'provider-linked' : 'provider-unlinked',
    userId,
    letter: providerLetter(deps, addresseeOf(user), titleOf(deps, provider), isLinked),
    at,
    expiresAt: noticeExpiry(at),
  });
}
