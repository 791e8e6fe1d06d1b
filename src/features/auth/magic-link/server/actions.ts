import type * as z from 'zod/mini';
import { emailKey } from '#features/users/contract.ts';
import { emailRecipientOf, lockUser } from '#features/users/server/accounts.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { queueEmail, simulateQueueEmail } from '#server/email/outbox.ts';
import { networkOf } from '#server/http/client-address.ts';
import {
  checkRateLimit,
  consumeAttempt,
  EMAILS_PER_ACCOUNT,
  PASSWORD_RESETS,
} from '#server/http/rate-limit.ts';
import { actorOf, type Request } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { hashToken, newToken } from '#server/secrets.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import type { ForgotInput } from '../../contract.ts';
import { queueFirstPasswordEmail } from '../../passwords/server/password-reset.ts';
import { lockEmailRecipient } from '../../server/credentials-store.ts';
import { magicLinkEmail } from '../../server/emails.ts';
import { openSession, type Proven } from '../../sessions/server/new-session.ts';
import { LINK_MINUTES, messages } from '../contract.ts';
import {
  claimMagicLink,
  isUsableMagicLink,
  type LinkKey,
  replaceMagicLink,
  simulateMagicLinkInsert,
} from './store.ts';

/**
 * Emails a link that signs in, if the address has an account; an unconfirmed address gets a link that sets a password. The
 * reply is the same, after the same work, whether or not it has one (security 2.3). The link works only in the browser that
 * requested it, so that an email scanner cannot use it up and no one else can be signed in to this account.
 */
export async function requestMagicLink(deps: Deps, request: Request, input: z.output<typeof ForgotInput>) {
  requireInUse(deps);
  const { device } = request;
  if (device === undefined) throw errors.invalid(messages.needsBrowser);
  const from = { key: `sign-in-links:${networkOf(request.address)}`, policy: PASSWORD_RESETS };
  await consumeAttempt(deps.database, [from], request.at);
  const letters = { key: `sign-in-letters:${emailKey(input.email)}`, policy: EMAILS_PER_ACCOUNT };
  if (await checkRateLimit(deps.database, [letters], request.at)) {
    await transaction(deps.database, (trx) =>
      queueMagicLink(trx, deps, request, { email: input.email, device }),
    );
  }
  return { message: translate(deps, messages.sent) };
}

/** Signs in by an emailed link, once, in the browser that requested it. */
export async function signInByMagicLink(deps: Deps, request: Request, token: string): Promise<Proven> {
  requireInUse(deps);
  const key = keyOf(token, request.device ?? '');
  return transaction(deps.database, async (trx) => {
    const userId = await claimMagicLink(trx, key, request.at);
    const user = userId === undefined ? undefined : await lockUser(trx, userId);
    if (user?.is_active === 1) {
      return openSession(trx, deps, request, {
        userId: user.id,
        by: 'link',
        deed: { action: 'session.mailed-link' },
      });
    }
    if (userId === undefined && (await isUsableMagicLink(trx, key.tokenHash, request.at))) {
      throw errors.conflict(messages.elsewhere);
    }
    throw errors.invalid(messages.invalid);
  });
}

function requireInUse({ config }: Deps): void {
  if (!config.signInLink) throw errors.notFound(messages.off);
}

function keyOf(token: string, device: string): LinkKey {
  return { tokenHash: hashToken(token), browserHash: hashToken(device) };
}

// Runs the same number and kind of statements whether or not the address is known.
async function queueMagicLink(
  trx: Trx,
  deps: Deps,
  request: Request,
  { email, device }: { email: string; device: string },
): Promise<void> {
  const { at } = request;
  const known = await lockEmailRecipient(trx, email);
  // A stranger may have created the account with this address and may know its password, so the password is replaced first.
  if (known !== undefined && known.email_verified_at === null) {
    await queueFirstPasswordEmail(trx, deps, request, known);
  } else {
    const token = newToken();
    const expiresAt = plusMilliseconds(at, LINK_MINUTES * 60_000);
    const key = keyOf(token, device);
    if (known === undefined) await simulateMagicLinkInsert(trx, key);
    else await replaceMagicLink(trx, known.id, key, { at, expiresAt });
    const to =
      known === undefined
        ? { email, firstName: 'Nobody', lastName: 'Known', isProven: true, id: null, language: null }
        : emailRecipientOf(known);
    const letter = magicLinkEmail(deps, to, token);
    const posting = { kind: 'sign-in-link', userId: known?.id ?? null, letter, at, expiresAt };
    await (known === undefined ? simulateQueueEmail : queueEmail)(trx, deps, posting);
  }
  const deed = { action: 'session.ask-link', subject: 'user', subjectId: known?.id ?? null };
  await recordEvent(trx, actorOf(undefined, request), deed);
}
