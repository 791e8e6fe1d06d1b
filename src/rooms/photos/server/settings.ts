import * as z from 'zod/mini';
import { refuse } from '#base/refusal.ts';
import { findSetting, keepSetting } from '#rooms/district/server/settings.ts';
import { type Actor, record } from '#server/audit.ts';
import { type Db, transaction } from '#server/db/connect.ts';
import type { Deps } from '#server/deps.ts';
import { text } from '#server/http/errors.ts';
import { isUnchanged } from '#server/unchanged.ts';
import { messages, type PhotoRules, PhotoSettings, type PhotoSettingsChange } from '../contract.ts';
import { administratorsAmong } from './review-store.ts';

const NAME = 'photos';

/** The district's settings for photos; until somebody changes them, neither consent nor approval is asked for. */
export async function photoSettings(deps: Deps, db: Db): Promise<PhotoSettings> {
  const kept = z.partial(PhotoSettings).parse((await findSetting(db, NAME)) ?? {});
  return {
    consent: kept.consent ?? false,
    consentText: kept.consentText ?? text(deps, messages.defaultConsent),
    review: kept.review ?? false,
    notify: kept.notify ?? [],
  };
}

/** What an upload form must know. */
export async function photoRules(deps: Deps): Promise<{ rules: PhotoRules }> {
  const { consent, consentText, review } = await photoSettings(deps, deps.database.db);
  return { rules: { consentText: consent ? consentText : null, review } };
}

/** Changes the settings; what is left out stays. 400 when somebody to be told is no active administrator. */
export function changePhotoSettings(deps: Deps, actor: Actor, change: PhotoSettingsChange) {
  return transaction(deps.database, async (trx) => {
    const before = await photoSettings(deps, trx);
    const notify = [...new Set(change.notify ?? before.notify)];
    const settings = {
      consent: change.consent ?? before.consent,
      consentText: change.consentText ?? before.consentText,
      review: change.review ?? before.review,
      notify,
    };
    if (change.notify !== undefined && (await administratorsAmong(trx, notify)).length < notify.length) {
      throw refuse.invalid(messages.notifyAdministrators, { notify: messages.notifyAdministrators });
    }
    const answer = { settings, message: text(deps, messages.settingsSaved) };
    if (isUnchanged(before, settings)) return answer;
    // The usual text is not kept: whoever reads it does so in their own language.
    const { consentText, ...others } = settings;
    const isUsual = consentText === text(deps, messages.defaultConsent);
    await keepSetting(trx, NAME, isUsual ? others : settings);
    await record(trx, actor, {
      action: 'photo.settings',
      subject: 'setting',
      subjectId: null,
      before,
      after: settings,
    });
    return answer;
  });
}
