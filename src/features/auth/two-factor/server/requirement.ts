import * as z from 'zod/mini';
import { findSetting, saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { type Actor, recordEvent } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { Instant, millisecondsOf, plusMilliseconds } from '#shared/calendar-date.ts';
import { isAdministrator, isDistrictAdministrator, type PermissionHolder } from '#shared/permissions.ts';
import { findTwoFactorStatus } from './store.ts';

/** The name of the setting in the database. */
export const SETTING = 'secondProof';

const DAY_MS = 86_400_000;

/** The setting as stored; `since` is when it was turned on. */
export const StoredRequirement = z.object({
  secondFactor: z.enum(['optional', 'administrators']),
  secondFactorGraceDays: z.int(),
  since: z.nullable(Instant),
});
export type StoredRequirement = z.infer<typeof StoredRequirement>;

/** The default until a district changes the setting. */
export const STANDARD: StoredRequirement = {
  secondFactor: 'optional',
  secondFactorGraceDays: 14,
  since: null,
};

export type Standing = Readonly<{ has: boolean; neededFrom: Instant | null }>;

/**
 * Whether an account has a second factor, and since when an administrator must have one: after a grace period that starts when
 * it was required or when they became an administrator, whichever is later. Null if it is not required of them.
 */
export async function twoFactorStandingOf(
  db: Db,
  person: PermissionHolder & { userId: number },
): Promise<Standing> {
  const { setting, has, promotedAt, grantedAt } = await findTwoFactorStatus(db, SETTING, person.userId);
  const { secondFactor, secondFactorGraceDays, since } =
    setting === undefined ? STANDARD : StoredRequirement.parse(setting);
  if (secondFactor === 'optional' || since === null || !isAdministrator(person))
    return { has, neededFrom: null };
  const became = isDistrictAdministrator(person) ? promotedAt : grantedAt;
  const begins = became !== null && became > since ? became : since;
  return { has, neededFrom: plusMilliseconds(begins, secondFactorGraceDays * DAY_MS) };
}

/** Whether a signed-in user may only set up a second factor; `demand` is the setting as stored. */
export async function mustSetUpTwoFactor(
  db: Db,
  { person, demand }: { person: PermissionHolder & { userId: number }; demand: string | null },
  now: Instant,
): Promise<boolean> {
  if (demand === null || !isAdministrator(person)) return false;
  if (StoredRequirement.parse(JSON.parse(demand)).secondFactor === 'optional') return false;
  return isOverdue(await twoFactorStandingOf(db, person), now);
}

/** Whether the grace period has ended without a second factor. */
export function isOverdue({ has, neededFrom }: Standing, now: Instant): boolean {
  return !has && neededFrom !== null && millisecondsOf(now) >= millisecondsOf(neededFrom);
}

/** A change of the setting; omitted fields stay. */
export type RequirementChange = Readonly<{
  secondFactor?: StoredRequirement['secondFactor'] | undefined;
  secondFactorGraceDays?: number | undefined;
}>;

/** Returns which users must have a second factor, and how many days they have to set one up. */
export async function readTwoFactorRequirement(db: Db): Promise<Omit<StoredRequirement, 'since'>> {
  const { since: _, ...shown } = await readStoredRequirement(db);
  return shown;
}

/** Changes the requirement. Turning it on restarts the grace period. */
export async function saveTwoFactorRequirement(
  trx: Trx,
  actor: Actor,
  change: RequirementChange,
): Promise<Omit<StoredRequirement, 'since'>> {
  const { since, ...before } = await readStoredRequirement(trx);
  const after = {
    secondFactor: change.secondFactor ?? before.secondFactor,
    secondFactorGraceDays: change.secondFactorGraceDays ?? before.secondFactorGraceDays,
  };
  if (isUnchanged(before, after)) return before;
  const isOn = after.secondFactor === 'administrators';
  await saveSetting(trx, SETTING, { ...after, since: isOn ? (since ?? actor.at) : null });
  await recordEvent(trx, actor, {
    action: 'second-proof.settings',
    subject: 'setting',
    subjectId: null,
    before,
    after,
  });
  return after;
}

async function readStoredRequirement(db: Db): Promise<StoredRequirement> {
  const kept = await findSetting(db, SETTING);
  return kept === undefined ? STANDARD : StoredRequirement.parse(kept);
}
