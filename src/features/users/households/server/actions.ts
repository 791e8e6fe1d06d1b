import { randomUUID } from 'node:crypto';
import { schoolYearStartAt } from '#features/time-entries/goals/server/actions.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import { runSequentially } from '#server/http/keyed-queue.ts';
import { clearCounters, consumeAttempt, hourly, type RateLimitPolicy } from '#server/http/rate-limit.ts';
import type { Acting } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { newCodeCharacters } from '#server/secrets.ts';
import { dayIn, plusMilliseconds } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { sumHours } from '#shared/hours.ts';
import type { Message } from '#shared/i18n/message.ts';
import { fullName } from '#shared/person-name.ts';
import { readCodeCharacters, spellCode } from '#shared/short-code.ts';
import { lockOwnAccount } from '../../server/current-account.ts';
import { type Household, LIMITS, messages } from '../contract.ts';
import {
  addMember,
  countMembers,
  findByCode,
  findMembership,
  lockHousehold,
  membersOf,
  removeHouseholdIfEmpty,
  removeMember,
  setCode,
} from './store.ts';

/** Removes a person from their household, and deletes it if no active member is left. Does nothing for users without one. */
export async function removeFromHousehold(trx: Trx, userId: number): Promise<void> {
  const member = await findMembership(trx, userId);
  if (member === undefined) return;
  await lockHousehold(trx, member.household);
  await removeMember(trx, userId);
  await removeHouseholdIfEmpty(trx, member.household);
}

/** Limits of wrong codes per account and per network. */
export const BY_ACCOUNT = hourly(10, 300);
export const BY_ADDRESS: RateLimitPolicy = { ...BY_ACCOUNT, tries: 300 };

const DAY_MS = 86_400_000;

/** The viewer's household; null if there is none. */
export async function ownHousehold(db: Db, deps: Deps, acting: Acting): Promise<Household | null> {
  const { viewer, request } = acting;
  const own = await findMembership(db, viewer.userId);
  if (own === undefined) return null;
  const yearStart = schoolYearStartAt(deps, request);
  const members = await membersOf(db, own.household, yearStart);
  const isValid = own.code_until !== null && own.code_until > request.at;
  return {
    members: members.map(({ userId, hours, ...name }) => ({
      name: fullName(name),
      hours,
      isYou: userId === viewer.userId,
    })),
    hours: sumHours(members.map(({ hours }) => hours)),
    yearStart,
    code:
      own.code === null || own.code_until === null || !isValid
        ? null
        : { code: spellCode(own.code), until: dayIn(deps.config.timeZone, own.code_until) },
  };
}

/** Creates a household with a code. If the viewer already has a household, returns it unchanged. */
export function createOwnHousehold(deps: Deps, acting: Acting) {
  return transaction(deps.database, async (trx) => {
    const { viewer, request } = acting;
    await lockOwnAccount(trx, viewer);
    if ((await findMembership(trx, viewer.userId)) === undefined) {
      const household = randomUUID();
      await addMember(trx, {
        user_id: viewer.userId,
        household,
        joined_at: request.at,
        joined_with: null,
        code: newCodeCharacters(LIMITS.codeLength),
        code_until: plusMilliseconds(request.at, LIMITS.codeDays * DAY_MS),
      });
    }
    return changed(trx, deps, acting, messages.made);
  });
}

/** Replaces the viewer's code with a new one. Throws 404 without a household, 409 if it is full. */
export function renewHouseholdCode(deps: Deps, acting: Acting) {
  return transaction(deps.database, async (trx) => {
    const { viewer, request } = acting;
    await lockOwnAccount(trx, viewer);
    const own = await findMembership(trx, viewer.userId);
    if (own === undefined) throw errors.notFound(messages.none);
    await lockHousehold(trx, own.household);
    await rejectFullHousehold(trx, own.household);
    const until = plusMilliseconds(request.at, LIMITS.codeDays * DAY_MS);
    await setCode(trx, viewer.userId, { code: newCodeCharacters(LIMITS.codeLength), until });
    return changed(trx, deps, acting, messages.codeMade);
  });
}

/**
 * Adds the viewer to the household that issued the code. A code works once, but a repeated request of the same person gets the
 * same reply. An attempt is counted before the check and refunded if the code was right, so that parallel attempts cannot slip
 * past.
 */
export function joinHouseholdByCode(deps: Deps, acting: Acting, typed: string) {
  const { viewer, request } = acting;
  const byAccount = { key: `household-codes-by:${viewer.userId}`, policy: BY_ACCOUNT };
  const byAddress = { key: `household-codes-from:${networkOf(request.address)}`, policy: BY_ADDRESS };
  return runSequentially(byAddress.key, async () => {
    await consumeAttempt(deps.database, [byAccount, byAddress], request.at);
    return transaction(deps.database, async (trx) => {
      await lockOwnAccount(trx, viewer);
      await join(trx, acting, readCodeCharacters(typed, LIMITS.codeLength));
      await clearCounters(trx, [], [byAccount.key, byAddress.key]);
      return changed(trx, deps, acting, messages.joined);
    });
  });
}

/** Removes the viewer from their household. */
export function leaveOwnHousehold(deps: Deps, { viewer }: Acting) {
  return transaction(deps.database, async (trx) => {
    await lockOwnAccount(trx, viewer);
    await removeFromHousehold(trx, viewer.userId);
    return { message: translate(deps, messages.left) };
  });
}

async function join(trx: Trx, { viewer, request }: Acting, code: string | undefined): Promise<void> {
  const own = await findMembership(trx, viewer.userId);
  if (own !== undefined) {
    if (own.joined_with !== null && own.joined_with === code) return;
    throw errors.conflict(messages.elsewhere);
  }
  const host = code === undefined ? undefined : await findByCode(trx, code, request.at);
  if (code === undefined || host === undefined) throw errors.notFound(messages.codeWrong);
  await lockHousehold(trx, host.household);
  // Another user may have used the code, or its owner may have left, while this request waited.
  if ((await findByCode(trx, code, request.at)) === undefined) throw errors.notFound(messages.codeWrong);
  await rejectFullHousehold(trx, host.household);
  await setCode(trx, host.user_id, null);
  await addMember(trx, {
    user_id: viewer.userId,
    household: host.household,
    joined_at: request.at,
    joined_with: code,
    code: null,
    code_until: null,
  });
}

async function rejectFullHousehold(trx: Trx, household: string): Promise<void> {
  if ((await countMembers(trx, household)) >= LIMITS.members) throw errors.conflict(messages.full);
}

async function changed(trx: Trx, deps: Deps, acting: Acting, message: Message) {
  const household = await ownHousehold(trx, deps, acting);
  if (household === null) throw new Error('a household vanished within its own transaction');
  return { household, message: translate(deps, message) };
}
