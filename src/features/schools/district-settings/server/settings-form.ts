import * as z from 'zod/mini';
import {
  type RequirementChange,
  readTwoFactorRequirement,
  saveTwoFactorRequirement,
} from '#features/auth/two-factor/server/requirement.ts';
import {
  isShorter,
  KIND_NAMES,
  KINDS,
  type Kind,
  messages,
  Retention,
  type RetentionChange,
  RetentionPending,
  SHORTENING_DELAY_HOURS,
} from '#features/privacy/retention/contract.ts';
import { emailShorterRetention } from '#features/privacy/retention/server/emails.ts';
import { type Actor, record } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf, requireRecentAuth } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { Until } from '#server/personal-data/expired-rows-store.ts';
import {
  addMonths,
  dayIn,
  formatMoment,
  type Instant,
  plusMilliseconds,
  startOfDay,
} from '#shared/calendar-date.ts';
import { refuse } from '#shared/errors.ts';
import type { DistrictChange } from '../settings-contract.ts';
import { findSetting, lockSettings, readDistrict, saveDistrict, saveSetting } from './settings.ts';

const NAME = 'retention';
const PENDING = 'retention-pending';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const STANDARD = Object.fromEntries(KIND_NAMES.map((kind) => [kind, KINDS[kind].standard])) as Retention;

/** How long each kind is kept: what the district set, else what stands in the contract. */
export async function retentionOf(db: Db, now: Instant): Promise<Retention> {
  return (await kept(db, now)).retention;
}

/** The same with what was shortened and does not hold yet. */
async function kept(
  db: Db,
  now: Instant,
): Promise<{ retention: Retention; pending: RetentionPending | null }> {
  const set = z.partial(Retention).parse((await findSetting(db, NAME)) ?? {});
  const shorter = z.nullable(RetentionPending).parse((await findSetting(db, PENDING)) ?? null);
  const isDue = shorter !== null && shorter.effectiveAt <= now;
  const retention = withPeriods(withPeriods(STANDARD, set), isDue ? shorter.values : {});
  return { retention, pending: isDue ? null : shorter };
}

/** The district's settings. */
export async function readSettings(deps: Deps) {
  const { db } = deps.database;
  const { retention, pending } = await kept(db, deps.clock.now());
  const settings = { ...(await readDistrict(db, deps)), retention, ...(await readTwoFactorRequirement(db)) };
  return { settings, setByServer: [...deps.config.setByServer], retentionPending: pending };
}

type Change = RequirementChange & DistrictChange & Readonly<{ retention?: RetentionChange | undefined }>;

/** Changes settings; what is left out stays. They hold at once, on every server, but for shorter periods. */
export async function saveSettings(deps: Deps, acting: Acting, change: Change) {
  const { viewer, request } = acting;
  const isAboutProof = change.secondFactor !== undefined || change.secondFactorGraceDays !== undefined;
  if (isAboutProof) requireRecentAuth(viewer, request);
  const actor = actorOf(viewer, request);
  const requireProof = () => requireRecentAuth(viewer, request);
  const isShortened = await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    await saveDistrict(trx, deps, actor, { change, requireProof });
    await saveTwoFactorRequirement(trx, actor, change);
    return saveRetention(trx, deps, acting, change.retention ?? {});
  });
  await deps.settings.refresh();
  const saved = await readSettings(deps);
  const { retentionPending: pending } = saved;
  const message =
    isShortened && pending !== null
      ? messages.savedPending(momentOf(deps, pending.effectiveAt))
      : messages.saved;
  return { ...saved, message: translate(deps, message) };
}

/** Takes shorter periods back that do not hold yet. */
export async function cancelShorterPeriods(deps: Deps, { viewer, request }: Acting) {
  await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const { retention, pending } = await kept(trx, request.at);
    if (pending === null) throw refuse.conflict(messages.nothingPending);
    await saveSetting(trx, PENDING, null);
    await recordPeriods(trx, actorOf(viewer, request), 'retention.cancel', {
      before: withPeriods(retention, pending.values),
      after: retention,
    });
  });
  return { ...(await readSettings(deps)), message: translate(deps, messages.canceled) };
}

// Longer periods hold at once. Shorter ones wait, so that a stolen session or a slip deletes nothing before somebody notices.
async function saveRetention(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  change: RetentionChange,
): Promise<boolean> {
  const { retention: before, pending } = await kept(trx, request.at);
  const present = withPeriods(before, pending?.values);
  const wanted = withPeriods(present, change);
  if (isUnchanged(present, wanted)) return false;
  const shorter = KIND_NAMES.filter((kind) => isShorter(wanted[kind], before[kind]));
  const values = Object.fromEntries(shorter.map((kind) => [kind, wanted[kind]]));
  const isShortened = shorter.some((kind) => wanted[kind] !== pending?.values[kind]);
  if (isShortened) requireRecentAuth(viewer, request);
  const retention = withPeriods(wanted, pick(before, shorter));
  const effectiveAt = isShortened
    ? plusMilliseconds(request.at, SHORTENING_DELAY_HOURS * HOUR_MS)
    : (pending?.effectiveAt ?? request.at);
  await saveSetting(trx, NAME, retention);
  await saveSetting(trx, PENDING, shorter.length === 0 ? null : { values, effectiveAt });
  const actor = actorOf(viewer, request);
  const taken = KIND_NAMES.filter((kind) => pending?.values[kind] !== undefined && !shorter.includes(kind));
  await recordPeriods(trx, actor, 'retention.cancel', {
    before: withPeriods(before, pick(present, taken)),
    after: before,
  });
  await recordPeriods(trx, actor, 'retention.settings', { before, after: retention });
  if (!isShortened) return false;
  await recordPeriods(trx, actor, 'retention.shorten', {
    before: retention,
    after: { ...retention, ...values },
  });
  await emailShorterRetention(trx, deps, {
    by: viewer.userId,
    at: request.at,
    before: retention,
    pending: { values, effectiveAt },
  });
  return true;
}

function recordPeriods(
  trx: Trx,
  actor: Actor,
  action: 'retention.settings' | 'retention.shorten' | 'retention.cancel',
  { before, after }: { before: Retention; after: Retention },
): Promise<void> | undefined {
  const changed = KIND_NAMES.filter((kind) => before[kind] !== after[kind]);
  if (changed.length === 0) return undefined;
  const deed = { action, subject: 'setting', subjectId: null };
  return record(trx, actor, { ...deed, before: pick(before, changed), after: pick(after, changed) });
}

function pick(all: Retention, kinds: readonly Kind[]): Partial<Retention> {
  return Object.fromEntries(kinds.map((kind) => [kind, all[kind]]));
}

function withPeriods(before: Retention, change: RetentionChange = {}): Retention {
  const periods = KIND_NAMES.map((kind) => {
    const period = change[kind];
    return [kind, period === undefined ? before[kind] : period];
  });
  return Object.fromEntries(periods);
}

function momentOf({ catalogue, config }: Deps, at: Instant): string {
  return formatMoment(at, catalogue.language, config.timeZone);
}

/** What is older than this is deleted: by months, from the begin of that day on. */
export function retentionCutoff(deps: Pick<Deps, 'config'>, now: Instant, kind: Kind, period: number): Until {
  const { timeZone } = deps.config;
  if (KINDS[kind].unit === 'days') {
    const moment = plusMilliseconds(now, -period * DAY_MS);
    return { moment, day: dayIn(timeZone, moment) };
  }
  const day = addMonths(dayIn(timeZone, now), -period);
  return { moment: startOfDay(timeZone, day), day };
}
