import { recordEvent } from '#server/audit-log.ts';
import { type Trx, transaction } from '#server/db/database.ts';
import { lockRow } from '#server/db/row-locks.ts';
import type { Deps } from '#server/deps.ts';
import { linkTo } from '#server/email/email.ts';
import { networkOf } from '#server/http/client-address.ts';
import { countFailure, hourly, throwWhilePaused } from '#server/http/rate-limit.ts';
import { type Acting, actorOf, isWithin } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { newCode } from '#server/secrets.ts';
import { errors } from '#shared/errors.ts';
import { readCode, spellCode } from '#shared/short-code.ts';
import { messages as activityMessages } from '../../contract.ts';
import { findActivity } from '../../server/store.ts';
import { type LogAddress, messages } from '../contract.ts';
import { findByLogCode, findLogCode, isPending, setFirstLogCode, setLogCode } from './store.ts';

/** Limits for wrong codes per account and per network. */
const BY_ACCOUNT = hourly(20, 300);
const BY_ADDRESS = hourly(300, 300);

/** Returns the activity of a typed code for this viewer. Only wrong codes count toward the limits. */
export async function findActivityByCode(deps: Deps, { viewer, request }: Acting, typed: string) {
  const { database } = deps;
  const byAccount = { key: `log-codes-by:${viewer.userId}`, policy: BY_ACCOUNT };
  const byAddress = { key: `log-codes-from:${networkOf(request.address)}`, policy: BY_ADDRESS };
  await throwWhilePaused(database, byAccount, request.at);
  await throwWhilePaused(database, byAddress, request.at);
  const code = readCode(typed);
  const found = code === undefined ? undefined : await findByLogCode(database.db, code);
  if (found === undefined) {
    await transaction(database, async (trx) => {
      await countFailure(trx, byAccount, request.at);
      await countFailure(trx, byAddress, request.at);
    });
    throw errors.notFound(messages.unknown);
  }
  const { school, ...activity } = found;
  if (isWithin(viewer.schools, school.id)) return { school, activity, isWaiting: false };
  const isWaiting = await isPending(database.db, viewer.userId, school.id);
  return { school, activity: null, isWaiting };
}

/**
 * Returns the URL of an activity's log code, which is created if it is missing. Renewing the code is recorded in the audit log.
 */
export function getLogAddress(
  deps: Deps,
  { viewer, request }: Acting,
  { id, renew }: { id: number; renew: boolean },
): Promise<LogAddress & { message: string | null }> {
  return transaction(deps.database, async (trx) => {
    const activity = await findActivity(trx, viewer.schools, id);
    if (activity === undefined) throw errors.notFound(activityMessages.notFound);
    if (!renew) return { ...(await ensureLogAddress(trx, deps, id)), message: null };
    await lockRow(trx, 'activities', id);
    await setLogCode(trx, id, newCode());
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'activity.log-code',
      subject: 'activity',
      subjectId: id,
      schoolId: activity.schoolId,
    });
    return { ...(await ensureLogAddress(trx, deps, id)), message: translate(deps, messages.renewed) };
  });
}

/** Returns the URL of an activity's log code without a permission check. Creates the code if there is none. */
export async function ensureLogAddress(
  trx: Trx,
  deps: Pick<Deps, 'config'>,
  activityId: number,
): Promise<LogAddress> {
  // If two requests create the first code concurrently, both return the stored one.
  const existing = await findLogCode(trx, activityId);
  if (existing === null) await setFirstLogCode(trx, activityId, newCode());
  const code = spellCode(existing ?? (await findLogCode(trx, activityId)) ?? '');
  return { code, address: linkTo(deps, 'log', code) };
}
