import * as z from 'zod/mini';
import {
  KIND_NAMES,
  KINDS,
  type Kind,
  Retention,
  type RetentionChange,
  RetentionPending,
} from '#features/schools/district-settings/retention-periods.ts';
import {
  findSetting,
  lockSettings,
  saveSetting,
} from '#features/schools/district-settings/server/settings.ts';
import { type Actor, recordEvent } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf, requireRecentAuth } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import type { Cutoff } from '#server/personal-data/expired-rows-store.ts';
import { addMonths, dayIn, type Instant, plusMilliseconds, startOfDay } from '#shared/calendar-date.ts';
import { errors } from '#shared/errors.ts';
import { isShorter, messages, SHORTENING_DELAY_HOURS } from '../contract.ts';
import { emailShorterRetention } from './emails.ts';

const SETTINGS_KEY = 'retention';
const PENDING_KEY = 'retention-pending';
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const DEFAULT_PERIODS = Object.fromEntries(
  KIND_NAMES.map((kind) => [kind, KINDS[kind].standard]),
) as Retention;

/** Returns the retention period of each kind: the district's own, else the default. */
export async function readRetentionPeriods(db: Db, now: Instant): Promise<Retention> {
  return (await readRetention(db, now)).retention;
}

/** Returns the current periods, and the shorter ones that are still pending. */
export async function readRetention(
  db: Db,
  now: Instant,
): Promise<{ retention: Retention; pending: RetentionPending | null }> {
  const stored = z.partial(Retention).parse((await findSetting(db, SETTINGS_KEY)) ?? {});
  const shorter = z.nullable(RetentionPending).parse((await findSetting(db, PENDING_KEY)) ?? null);
  const isDue = shorter !== null && shorter.effectiveAt <= now;
  const retention = withPeriods(withPeriods(DEFAULT_PERIODS, stored), isDue ? shorter.values : {});
  return { retention, pending: isDue ? null : shorter };
}

/** Cancels shorter periods that are still pending. Returns the message for the user; throws 409 if there are none. */
export async function cancelShorterPeriods(deps: Deps, { viewer, request }: Acting): Promise<string> {
  await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    const { retention, pending } = await readRetention(trx, request.at);
    if (pending === null) throw errors.conflict(messages.nothingPending);
    await saveSetting(trx, PENDING_KEY, null);
    await recordPeriods(trx, actorOf(viewer, request), 'retention.cancel', {
      before: withPeriods(retention, pending.values),
      after: retention,
    });
  });
  return translate(deps, messages.canceled);
}

/**
 * Changes retention periods. Longer ones apply immediately. Shorter ones are delayed, so that an administrator can undo a
 * mistake or a change from a stolen session before anything is deleted. Returns when they take effect, or undefined if none was
 * shortened.
 */
export async function saveRetention(
  trx: Trx,
  deps: Deps,
  { viewer, request }: Acting,
  change: RetentionChange,
): Promise<Instant | undefined> {
  const { retention: before, pending } = await readRetention(trx, request.at);
  const present = withPeriods(before, pending?.values);
  const wanted = withPeriods(present, change);
  if (isUnchanged(present, wanted)) return undefined;
  const shorter = KIND_NAMES.filter((kind) => isShorter(wanted[kind], before[kind]));
  const values = Object.fromEntries(shorter.map((kind) => [kind, wanted[kind]]));
  const isShortened = shorter.some((kind) => wanted[kind] !== pending?.values[kind]);
  if (isShortened) requireRecentAuth(viewer, request);
  const retention = withPeriods(wanted, pick(before, shorter));
  const effectiveAt = isShortened
    ? plusMilliseconds(request.at, SHORTENING_DELAY_HOURS * HOUR_MS)
    : (pending?.effectiveAt ?? request.at);
  await saveSetting(trx, SETTINGS_KEY, retention);
  await saveSetting(trx, PENDING_KEY, shorter.length === 0 ? null : { values, effectiveAt });
  const actor = actorOf(viewer, request);
  const pendingKinds = KIND_NAMES.filter((kind) => pending?.values[kind] !== undefined);
  const canceled = pendingKinds.filter((kind) => !shorter.includes(kind));
  await recordPeriods(trx, actor, 'retention.cancel', {
    before: withPeriods(before, pick(present, canceled)),
    after: before,
  });
  await recordPeriods(trx, actor, 'retention.settings', { before, after: retention });
  if (!isShortened) return undefined;
  await recordPeriods(trx, actor, 'retention.shorten', {
    before: retention,
    after: { ...retention, ...values },
  });
  const shortened = { before: retention, pending: { values, effectiveAt } };
  await emailShorterRetention(trx, deps, { by: viewer.userId, at: request.at, ...shortened });
  return effectiveAt;
}

function recordPeriods(
  trx: Trx,
  actor: Actor,
  action: 'retention.settings' | 'retention.shorten' | 'retention.cancel',
  { before, after }: { before: Retention; after: Retention },
): Promise<void> | undefined {
  const changed = KIND_NAMES.filter((kind) => before[kind] !== after[kind]);
  if (changed.length === 0) return undefined;
  return recordEvent(trx, actor, {
    action,
    subject: 'setting',
    subjectId: null,
    before: pick(before, changed),
    after: pick(after, changed),
  });
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

/** Returns the moment before which records of a kind are deleted. Periods in months end at the start of a day. */
export function retentionCutoff(
  deps: Pick<Deps, 'config'>,
  now: Instant,
  kind: Kind,
  period: number,
): Cutoff {
  const { timeZone } = deps.config;
  if (KINDS[kind].unit === 'days') {
    const moment = plusMilliseconds(now, -period * DAY_MS);
    return { moment, day: dayIn(timeZone, moment) };
  }
  const day = addMonths(dayIn(timeZone, now), -period);
  return { moment: startOfDay(timeZone, day), day };
}
