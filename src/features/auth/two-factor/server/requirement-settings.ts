import { findSetting, saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { type Actor, record } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import { isUnchanged } from '#server/http/unchanged-fields.ts';
import { SETTING, STANDARD, StoredRequirement } from './requirement.ts';

/** What a district sets; what is left out stays. */
export type RequirementChange = Readonly<{
  secondFactor?: StoredRequirement['secondFactor'] | undefined;
  secondFactorGraceDays?: number | undefined;
}>;

/** Of whom a second proof is demanded, and how many days each of them has to set one up. */
export async function readTwoFactorRequirement(db: Db): Promise<Omit<StoredRequirement, 'since'>> {
  const { since: _, ...shown } = await keptDemand(db);
  return shown;
}

/** Changes it. The days of grace begin anew whenever the demand is turned on. */
export async function saveTwoFactorRequirement(
  trx: Trx,
  actor: Actor,
  change: RequirementChange,
): Promise<Omit<StoredRequirement, 'since'>> {
  const { since, ...before } = await keptDemand(trx);
  const after = {
    secondFactor: change.secondFactor ?? before.secondFactor,
    secondFactorGraceDays: change.secondFactorGraceDays ?? before.secondFactorGraceDays,
  };
  if (isUnchanged(before, after)) return before;
  const isOn = after.secondFactor === 'administrators';
  await saveSetting(trx, SETTING, { ...after, since: isOn ? (since ?? actor.at) : null });
  await record(trx, actor, {
    action: 'second-proof.settings',
    subject: 'setting',
    subjectId: null,
    before,
    after,
  });
  return after;
}

async function keptDemand(db: Db): Promise<StoredRequirement> {
  const kept = await findSetting(db, SETTING);
  return kept === undefined ? STANDARD : StoredRequirement.parse(kept);
}
