import * as z from 'zod/mini';
import { addMonths, dayIn, type Instant, plusMilliseconds, startOfDay } from '#base/calendar-date.ts';
import { findSetting, keepSetting } from '#rooms/district/server/settings.ts';
import type { Until } from '#server/aged-rows-store.ts';
import { type Actor, record } from '#server/audit.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { isUnchanged } from '#server/unchanged.ts';
import { KIND_NAMES, KINDS, type Kind, messages, Retention, type RetentionChange } from '../contract.ts';

const NAME = 'retention';
const DAY_MS = 86_400_000;

/** How long each kind is kept: what the district set, else what stands in the contract. */
export async function retentionOf(db: Db): Promise<Retention> {
  const kept = z.partial(Retention).parse((await findSetting(db, NAME)) ?? {});
  const periods = KIND_NAMES.map((kind) => [
    kind,
    kept[kind] === undefined ? KINDS[kind].standard : kept[kind],
  ]);
  return Object.fromEntries(periods);
}

/** The district's settings. No variable of the environment sets any of them. */
export async function readSettings(deps: Deps) {
  return { settings: { retention: await retentionOf(deps.database.db) }, setByServer: [] };
}

/** Changes how long some kinds are kept; what is left out stays. */
export function saveSettings(deps: Deps, actor: Actor, change: { retention?: RetentionChange | undefined }) {
  return transaction(deps.database, async (trx) => {
    const before = await retentionOf(trx);
    const given = Object.entries(change.retention ?? {}).filter(([, period]) => period !== undefined);
    const retention: Retention = { ...before, ...Object.fromEntries(given) };
    const answer = { settings: { retention }, setByServer: [], message: text(deps, messages.saved) };
    if (isUnchanged(before, retention)) return answer;
    await keepSetting(trx, NAME, retention);
    const changed = KIND_NAMES.filter((kind) => before[kind] !== retention[kind]);
    const only = (all: Retention) => Object.fromEntries(changed.map((kind) => [kind, all[kind]]));
    await record(trx, actor, {
      action: 'retention.settings',
      subject: 'setting',
      subjectId: null,
      before: only(before),
      after: only(retention),
    });
    return answer;
  });
}

/** What is older than this is deleted: by months, from the begin of that day on. */
export function untilOf(deps: Pick<Deps, 'config'>, now: Instant, kind: Kind, period: number): Until {
  const { timeZone } = deps.config;
  if (KINDS[kind].unit === 'days') {
    const moment = plusMilliseconds(now, -period * DAY_MS);
    return { moment, day: dayIn(timeZone, moment) };
  }
  const day = addMonths(dayIn(timeZone, now), -period);
  return { moment: startOfDay(timeZone, day), day };
}
