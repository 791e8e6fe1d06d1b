import * as z from 'zod/mini';
import { addMonths, dayIn, type Instant, plusMilliseconds, startOfDay } from '#base/calendar-date.ts';
import {
  findSetting,
  holdSettings,
  keepSetting,
  readDistrict,
  saveDistrict,
} from '#rooms/district/server/settings.ts';
import type { DistrictChange } from '#rooms/district/settings-contract.ts';
import { type DemandChange, readDemand, saveDemand } from '#rooms/second-proof/server/demand-settings.ts';
import type { Until } from '#server/aged-rows-store.ts';
import { type Actor, record } from '#server/audit.ts';
import { type Db, type Trx, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { type Acting, actorOf, requireFreshProof } from '#server/http/viewer.ts';
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

/** The district's settings. */
export async function readSettings(deps: Deps) {
  const { db } = deps.database;
  const settings = {
    ...(await readDistrict(db, deps)),
    retention: await retentionOf(db),
    ...(await readDemand(db)),
  };
  return { settings, setByServer: [...deps.config.setByServer] };
}

type Change = DemandChange & DistrictChange & Readonly<{ retention?: RetentionChange | undefined }>;

/** Changes settings; what is left out stays. They hold at once, on every server. */
export async function saveSettings(deps: Deps, { viewer, request }: Acting, change: Change) {
  const isAboutProof = change.secondFactor !== undefined || change.secondFactorGraceDays !== undefined;
  if (isAboutProof) requireFreshProof(viewer, request);
  const actor = actorOf(viewer, request);
  const requireProof = () => requireFreshProof(viewer, request);
  const settings = await transaction(deps.database, async (trx) => {
    await holdSettings(trx);
    const district = await saveDistrict(trx, deps, actor, { change, requireProof });
    const retention = await saveRetention(trx, actor, change.retention ?? {});
    const demand = await saveDemand(trx, actor, change);
    return { ...district, retention, ...demand };
  });
  await deps.settings.refresh();
  return { settings, setByServer: [...deps.config.setByServer], message: text(deps, messages.saved) };
}

async function saveRetention(trx: Trx, actor: Actor, change: RetentionChange): Promise<Retention> {
  const before = await retentionOf(trx);
  const given = Object.entries(change).filter(([, period]) => period !== undefined);
  const retention: Retention = { ...before, ...Object.fromEntries(given) };
  if (isUnchanged(before, retention)) return before;
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
  return retention;
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
