import * as z from 'zod/mini';
import { findSetting, saveSetting } from '#features/schools/district-settings/server/settings.ts';
import { recordEvent } from '#server/audit-log.ts';
import { type Db, transaction } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { type Acting, actorOf, requireRecentAuth } from '#server/http/viewer.ts';
import { currentNameLanguage } from '#server/i18n/locale.ts';
import { defaultLanguage } from '#server/i18n/recipient-language.ts';
import { translate } from '#server/i18n/translator.ts';
import { changedTranslations, translatedText } from '#shared/content-translations.ts';
import { errors } from '#shared/errors.ts';
import {
  messages,
  type PhotoRules,
  PhotoSettings,
  type PhotoSettingsChange,
  TRANSLATED,
} from '../contract.ts';
import { findAdministratorsAmong } from './moderation-store.ts';

const SETTINGS_KEY = 'photos';

/** Returns the district's photo settings. By default neither consent nor approval is required. */
export async function readPhotoSettings(deps: Deps, db: Db): Promise<PhotoSettings> {
  return toPhotoSettings(deps, await readStored(db));
}

/** Returns the rules that the upload form shows. */
export async function readPhotoRules(deps: Deps): Promise<{ rules: PhotoRules }> {
  const stored = await readStored(deps.database.db);
  const { consent, consentText: first, translations, review } = toPhotoSettings(deps, stored);
  if (!consent) return { rules: { consentText: null, review } };
  const consentText = translatedText(currentNameLanguage(), 'consentText', first, translations);
  // The default text exists in the viewer's language.
  const consentLanguage = defaultLanguage(deps);
  const isForeign =
    stored.consentText !== undefined && consentText === first && currentNameLanguage() !== consentLanguage;
  return { rules: { consentText, ...(isForeign ? { consentLanguage } : {}), review } };
}

async function readStored(db: Db) {
  return z.partial(PhotoSettings).parse((await findSetting(db, SETTINGS_KEY)) ?? {});
}

function toPhotoSettings(deps: Deps, stored: Awaited<ReturnType<typeof readStored>>): PhotoSettings {
  return {
    consent: stored.consent ?? false,
    consentText: stored.consentText ?? translate(deps, messages.defaultConsent),
    translations: stored.translations ?? null,
    review: stored.review ?? false,
    notify: stored.notify ?? [],
  };
}

/**
 * Changes the settings; omitted ones stay. Throws 400 if a recipient is not an active administrator. Turning approval off shows
 * pending photos to more people, so it requires recent authentication.
 */
export function changePhotoSettings(deps: Deps, { viewer, request }: Acting, change: PhotoSettingsChange) {
  return transaction(deps.database, async (trx) => {
    const before = await readPhotoSettings(deps, trx);
    const notify = [...new Set(change.notify ?? before.notify)];
    const settings = {
      consent: change.consent ?? before.consent,
      consentText: change.consentText ?? before.consentText,
      translations: changedTranslations(TRANSLATED, before.translations, change.translations),
      review: change.review ?? before.review,
      notify,
    };
    if (change.notify !== undefined && (await findAdministratorsAmong(trx, notify)).length < notify.length) {
      throw errors.invalid(messages.notifyAdministrators, { notify: messages.notifyAdministrators });
    }
    const reply = { settings, message: translate(deps, messages.settingsSaved) };
    if (isUnchanged(before, settings)) return reply;
    if (before.review && !settings.review) requireRecentAuth(viewer, request);
    // The default text is not stored, so that it appears in each viewer's language.
    const { consentText, ...others } = settings;
    const isDefault = consentText === translate(deps, messages.defaultConsent);
    await saveSetting(trx, SETTINGS_KEY, isDefault ? others : settings);
    await recordEvent(trx, actorOf(viewer, request), {
      action: 'photo.settings',
      subject: 'setting',
      subjectId: null,
      before,
      after: settings,
    });
    return reply;
  });
}
