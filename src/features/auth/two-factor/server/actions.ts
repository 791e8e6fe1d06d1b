import { type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { clearCounters, consumeAttempt, PER_ACCOUNT } from '#server/http/rate-limit.ts';
import type { Acting, Viewer } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { LIMITS, messages, type SecondFactor } from '../contract.ts';
import { changing, requireMayAdd } from './changes.ts';
import { generateRecoveryCodes, normalizeRecoveryCode } from './code-verification.ts';
import { deleteUnusedRecoveryCodes } from './removal.ts';
import { isOverdue, twoFactorStandingOf } from './requirement.ts';
import {
  completeTotpSetup,
  countRecoveryCodes,
  deleteTotp,
  findTotp,
  findTotpSetup,
  hasTwoFactor,
  saveTotp,
  saveTotpSetup,
} from './store.ts';
import { encryptTotpSecret, newSecret, qrCodeOf, stepOf, totpUri } from './totp.ts';

/** The viewer's second factor, without secrets. */
export async function ownSecondFactor(deps: Deps, viewer: Viewer): Promise<SecondFactor> {
  const { db } = deps.database;
  const totp = await findTotp(db, viewer.userId);
  const standing = await twoFactorStandingOf(db, viewer);
  return {
    totp: totp === undefined ? null : { createdAt: totp.created_at, lastUsedAt: totp.last_used_at },
    recoveryCodesLeft: await countRecoveryCodes(db, viewer.userId),
    neededFrom: standing.neededFrom,
    isSetUp: standing.has,
    isOverdue: isOverdue(standing, deps.clock.now()),
  };
}

/** Offers a secret for an authenticator, which replaces an earlier offer. */
export async function offer(deps: Deps, { viewer, request }: Acting) {
  const { email } = await requireMayAdd(deps, viewer);
  const secret = newSecret();
  const sealed = encryptTotpSecret(deps, viewer.userId, secret);
  const expiresAt = plusMilliseconds(request.at, LIMITS.offerMinutes * 60_000);
  await transaction(deps.database, (trx) => saveTotpSetup(trx, viewer.userId, { sealed, expiresAt }));
  const uri = totpUri(deps, email, secret);
  return { secret, uri, qrCode: qrCodeOf(uri) };
}

/** Activates the offered secret after a correct code, and replaces the earlier one. */
export async function confirm(deps: Deps, acting: Acting, code: string) {
  const { viewer, request } = acting;
  const { userId } = viewer;
  const tries = { key: `second-proof-set-up:${userId}`, policy: PER_ACCOUNT };
  await consumeAttempt(deps.database, [tries], request.at);
  const sealed = await findTotpSetup(deps.database.db, userId, request.at);
  if (sealed === undefined) throw errors.conflict(messages.offerOver);
  const step = stepOf(deps, { userId, sealed }, normalizeRecoveryCode(code), request.at);
  if (step === undefined) throw errors.invalid(messages.wrongFirstCode, { code: messages.wrongFirstCode });
  return changing(deps, acting, 'second-proof-added', async (trx) => {
    if (!(await completeTotpSetup(trx, userId, sealed))) throw errors.conflict(messages.offerOver);
    await clearCounters(trx, [tries.key], []);
    await saveTotp(trx, userId, { sealed, step, at: request.at });
    return recoveryCodesReply(trx, deps, acting, messages.added);
  });
}

/** Removes the authenticator. Throws 409 if it is the last second factor while the district requires one. */
export async function remove(deps: Deps, acting: Acting) {
  const { viewer } = acting;
  const { neededFrom } = await twoFactorStandingOf(deps.database.db, viewer);
  return changing(deps, acting, 'second-proof-removed', async (trx) => {
    if (!(await deleteTotp(trx, viewer.userId))) throw errors.notFound(messages.none);
    if (neededFrom !== null && !(await hasTwoFactor(trx, viewer.userId))) {
      throw errors.conflict(messages.demanded);
    }
    await deleteUnusedRecoveryCodes(trx, viewer.userId);
    return { message: translate(deps, messages.removed) };
  });
}

/** Creates new recovery codes. */
export function renewRecoveryCodes(deps: Deps, acting: Acting) {
  return changing(deps, acting, 'second-proof-codes', async (trx) => {
    if (!(await hasTwoFactor(trx, acting.viewer.userId))) throw errors.conflict(messages.none);
    return recoveryCodesReply(trx, deps, acting, messages.newCodes);
  });
}

async function recoveryCodesReply(trx: Trx, deps: Deps, { viewer, request }: Acting, message: Message) {
  const recoveryCodes = await generateRecoveryCodes(trx, deps, viewer.userId, request.at);
  return { recoveryCodes, message: translate(deps, message) };
}
