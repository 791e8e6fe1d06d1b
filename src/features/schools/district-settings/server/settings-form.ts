import type { Actor } from '#server/audit-log.ts';
import { type Db, type Trx, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { type Acting, actorOf, requireRecentAuth } from '#server/http/viewer.ts';
import { translate } from '#server/i18n/translator.ts';
import { formatMoment, type Instant } from '#shared/calendar-date.ts';
import type { BodyOf, ReplyOf } from '#shared/endpoint.ts';
import type { RetentionChange } from '../retention-periods.ts';
import { type changeSettings, type getSettings, messages } from '../settings-contract.ts';
import { readDistrict, saveDistrict } from './change-settings.ts';
import { lockSettings } from './settings-store.ts';

type Settings = ReplyOf<typeof getSettings>;
type Change = BodyOf<typeof changeSettings>;

/** Settings that other features store. Those features import this one, so the app passes in their functions. */
export type SettingsSections = Readonly<{
  twoFactor: Readonly<{
    read: (db: Db) => Promise<Pick<Settings['settings'], 'secondFactor' | 'secondFactorGraceDays'>>;
    save: (trx: Trx, actor: Actor, change: Change) => Promise<unknown>;
  }>;
  retention: Readonly<{
    /** The periods that apply at a moment, and the shorter ones that do not apply yet. */
    read: (
      db: Db,
      at: Instant,
    ) => Promise<{
      retention: Settings['settings']['retention'];
      pending: Settings['retentionPending'];
    }>;
    /** Returns when shorter periods take effect, or undefined if none was shortened. */
    save: (trx: Trx, deps: Deps, acting: Acting, change: RetentionChange) => Promise<Instant | undefined>;
  }>;
}>;

/** Returns the district's settings. */
export async function readSettings(deps: Deps, { twoFactor, retention }: SettingsSections) {
  const { db } = deps.database;
  const periods = await retention.read(db, deps.clock.now());
  const settings = {
    ...(await readDistrict(db, deps)),
    retention: periods.retention,
    ...(await twoFactor.read(db)),
  };
  return { settings, setByServer: [...deps.config.setByServer], retentionPending: periods.pending };
}

/** Changes settings; omitted fields stay. They apply immediately on every server, except for shorter retention periods. */
export async function saveSettings(deps: Deps, acting: Acting, change: Change, sections: SettingsSections) {
  const { viewer, request } = acting;
  const requireProof = () => requireRecentAuth(viewer, request);
  if (change.secondFactor !== undefined || change.secondFactorGraceDays !== undefined) requireProof();
  const actor = actorOf(viewer, request);
  const shortenedFrom = await transaction(deps.database, async (trx) => {
    await lockSettings(trx);
    await saveDistrict(trx, deps, actor, { change, requireProof });
    await sections.twoFactor.save(trx, actor, change);
    return sections.retention.save(trx, deps, acting, change.retention ?? {});
  });
  await deps.settings.refresh();
  const saved = await readSettings(deps, sections);
  const message =
    shortenedFrom === undefined
      ? messages.saved
      : messages.savedPending(formatMoment(shortenedFrom, deps.translator.language, deps.config.timeZone));
  return { ...saved, message: translate(deps, message) };
}
