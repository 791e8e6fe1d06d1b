import * as z from 'zod/mini';
import type { Db, Trx } from '#server/db/database.ts';
import type { Deps, LiveSettings } from '#server/deps.ts';
import { UNREADABLE_EMAIL_SERVER } from '#server/email/mailer.ts';
import { seal, unseal } from '#server/secrets.ts';
import { senderOf } from '#shared/email-settings.ts';
import { inOrder } from '#shared/i18n/languages.ts';
import { DistrictLogo } from '../contract.ts';
import { DistrictFields } from '../settings-contract.ts';
import { findSetting, findSettingText, saveSetting } from './settings-store.ts';

type Config = Deps['config'];
type SetByServer = Config['setByServer'][number];

/** The name of the setting that stores the district's values. */
export const NAME = 'district';
const PURPOSE = 'mail server';

/** The values the district set. The mail server's URL is encrypted; its host and port are stored in clear text. */
const StoredSettings = z.partial(
  z.object({
    ...DistrictFields,
    mailServer: z.nullable(z.object({ sealed: z.string(), server: z.string() })),
    mailFrom: z.nullable(z.string()),
    logo: z.nullable(DistrictLogo),
  }),
);
export type StoredSettings = z.infer<typeof StoredSettings>;

/** Reads the values the district set. */
export async function readStoredDistrict(db: Db): Promise<StoredSettings> {
  return StoredSettings.parse((await findSetting(db, NAME)) ?? {});
}

function parseStoredSettings(text: string | null): StoredSettings {
  return StoredSettings.parse(text === null ? {} : JSON.parse(text));
}

/** Stores the values the district set. */
export function saveStoredDistrict(trx: Trx, stored: StoredSettings): Promise<void> {
  return saveSetting(trx, NAME, stored);
}

/** Encrypts a mail server's URL for storage. */
export function encryptMailServer(secretKey: Buffer, url: string): NonNullable<StoredSettings['mailServer']> {
  return { sealed: seal(secretKey, PURPOSE, url), server: serverOf(url) };
}

/** Returns a mail server's host and port without credentials: 'mail.example.org:587'. */
export function serverOf(url: string): string {
  return url === UNREADABLE_EMAIL_SERVER ? '' : new URL(url).host;
}

/** The settings that a district can change. */
type Changeable = Pick<
  Config,
  | 'districtName'
  | 'supportEmail'
  | 'schoolYearStart'
  | 'timeZone'
  | 'registration'
  | 'photosSeenBy'
  | 'languages'
  | 'districtLogo'
  | 'smtpUrl'
  | 'mailFrom'
>;

/** Returns the effective values: from the environment, else stored by the district, else the defaults. */
export function effectiveSettings(config: Config, stored: StoredSettings, secretKey: Buffer): Changeable {
  const isSet = (name: SetByServer) => config.setByServer.includes(name);
  const effective = <Value>(name: SetByServer, configured: Value, own: Value | undefined) =>
    isSet(name) ? configured : (own ?? configured);
  const districtName = effective('districtName', config.districtName, stored.districtName);
  const supportEmail = effective('supportEmail', config.supportEmail, stored.supportEmail);
  return {
    districtName,
    supportEmail,
    schoolYearStart: effective('schoolYearStart', config.schoolYearStart, stored.schoolYearStart),
    timeZone: effective('timeZone', config.timeZone, stored.timeZone),
    registration: effective('registration', config.registration, stored.registration),
    photosSeenBy: stored.photosSeenBy ?? config.photosSeenBy,
    languages: inOrder(stored.languages ?? config.languages),
    districtLogo: stored.logo ?? undefined,
    smtpUrl: isSet('mail.url') ? config.smtpUrl : decryptMailServer(stored, secretKey),
    mailFrom: senderOf(isSet('mail.from') ? config.mailFromSet : (stored.mailFrom ?? undefined), {
      districtName,
      supportEmail,
    }),
  };
}

/**
 * Returns the URL of the district's mail server, if any. If it cannot be decrypted after a change of SECRET_KEY, returns a
 * placeholder and not undefined, because emails would then be written to files that no one reads.
 */
export function decryptMailServer({ mailServer }: StoredSettings, secretKey: Buffer): string | undefined {
  if (mailServer === undefined || mailServer === null) return undefined;
  try {
    return unseal(secretKey, PURPOSE, mailServer.sealed);
  } catch {
    return UNREADABLE_EMAIL_SERVER;
  }
}

/**
 * Whether it was decided who may register and who sees photos: by the environment, or by an administrator who changed or saved
 * the defaults. Until then any stranger can register and see photos of children.
 */
export function isAccessDecided(config: Config, stored: StoredSettings): boolean {
  const { registration } = config.setByServer.includes('registration') ? config : { ...config, ...stored };
  const photosSeenBy = stored.photosSeenBy ?? config.photosSeenBy;
  const isRegistrationStored =
    stored.registration !== undefined || config.setByServer.includes('registration');
  const isDefault = registration === 'open' && photosSeenBy === 'members';
  return !isDefault || (isRegistrationStored && stored.photosSeenBy !== undefined);
}

type SettingsSource = Pick<Deps, 'secretKey' | 'log'> & Readonly<{ config: Config; db: Db }>;

/**
 * Returns the process's settings, which all code shares. The changeable ones reflect the last read of the database, which
 * `refresh` repeats. While the database cannot be read, the last values stay.
 */
export function openLiveSettings({ config, db, secretKey, log }: SettingsSource): {
  config: Config;
  settings: LiveSettings;
} {
  let now = effectiveSettings(config, {}, secretKey);
  let last: string | null = null;
  let isFailing = false;
  let [started, applied] = [0, 0];
  const fail = (error: unknown) => {
    if (!isFailing) log.warn({ err: error }, 'could not read the settings, using the last known ones');
    isFailing = true;
  };
  const beginRead = () => {
    started += 1;
    const turn = started;
    return (text: string | null) => {
      // A later read has already applied a newer state.
      if (turn < applied) return;
      try {
        // Parsing and decrypting take longer than comparing.
        if (text !== last) now = effectiveSettings(config, parseStoredSettings(text), secretKey);
        [last, applied, isFailing] = [text, turn, false];
      } catch (error) {
        fail(error);
      }
    };
  };
  const read = async () => {
    const apply = beginRead();
    await findSettingText(db, NAME).then(apply, fail);
  };
  return {
    config: liveConfig(config, () => now),
    settings: { refresh: coalesceRuns(read), beginRead: beginRead },
  };
}

// Unlike this object, a spread copy would not follow later changes.
function liveConfig(config: Config, now: () => Changeable): Config {
  const live = { ...config };
  for (const name of Object.keys(now()) as (keyof Changeable)[]) {
    Object.defineProperty(live, name, { enumerable: true, get: () => now()[name] });
  }
  return live;
}

/** Runs `read` one at a time. Calls during a run share the next run, which starts afterwards. */
export function coalesceRuns(read: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    running = read().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (running === undefined) return begin();
    next ??= running.then(() => {
      next = undefined;
      return begin();
    });
    return next;
  };
}
