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

/** The name under which a district's settings are kept. */
export const NAME = 'district';
const PURPOSE = 'mail server';

/** What a district set itself; a mail server is sealed, and where it is stands beside it. */
const Kept = z.partial(
  z.object({
    ...DistrictFields,
    mailServer: z.nullable(z.object({ sealed: z.string(), server: z.string() })),
    mailFrom: z.nullable(z.string()),
    logo: z.nullable(DistrictLogo),
  }),
);
export type Kept = z.infer<typeof Kept>;

/** What a district set itself. */
export async function readStoredDistrict(db: Db): Promise<Kept> {
  return Kept.parse((await findSetting(db, NAME)) ?? {});
}

function keptIn(text: string | null): Kept {
  return Kept.parse(text === null ? {} : JSON.parse(text));
}

/** Keeps what a district sets. */
export function saveStoredDistrict(trx: Trx, kept: Kept): Promise<void> {
  return saveSetting(trx, NAME, kept);
}

/** A mail server as it is kept. */
export function encryptMailServer(secretKey: Buffer, url: string): NonNullable<Kept['mailServer']> {
  return { sealed: seal(secretKey, PURPOSE, url), server: serverOf(url) };
}

/** Where a mail server is, without who signs in there: 'mail.example.org:587'. */
export function serverOf(url: string): string {
  return url === UNREADABLE_EMAIL_SERVER ? '' : new URL(url).host;
}

/** The fields of the settings that a district changes. */
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

/** What holds: what the environment sets, else what the district kept, else the standard of the settings. */
export function effectiveSettings(config: Config, kept: Kept, secretKey: Buffer): Changeable {
  const isSet = (name: SetByServer) => config.setByServer.includes(name);
  const districtName = isSet('districtName')
    ? config.districtName
    : (kept.districtName ?? config.districtName);
  const supportEmail = isSet('supportEmail')
    ? config.supportEmail
    : (kept.supportEmail ?? config.supportEmail);
  return {
    districtName,
    supportEmail,
    schoolYearStart: isSet('schoolYearStart')
      ? config.schoolYearStart
      : (kept.schoolYearStart ?? config.schoolYearStart),
    timeZone: isSet('timeZone') ? config.timeZone : (kept.timeZone ?? config.timeZone),
    registration: isSet('registration') ? config.registration : (kept.registration ?? config.registration),
    photosSeenBy: kept.photosSeenBy ?? config.photosSeenBy,
    languages: inOrder(kept.languages ?? config.languages),
    districtLogo: kept.logo ?? undefined,
    smtpUrl: isSet('mail.url') ? config.smtpUrl : decryptMailServer(kept, secretKey),
    mailFrom: senderOf(isSet('mail.from') ? config.mailFromSet : (kept.mailFrom ?? undefined), {
      districtName,
      supportEmail,
    }),
  };
}

/**
 * The address of the mail server that a district set, if any. Not undefined when it cannot be read, after a change of
 * SECRET_KEY: letters must not go to files then, where nobody looks for them.
 */
export function decryptMailServer({ mailServer }: Kept, secretKey: Buffer): string | undefined {
  if (mailServer === undefined || mailServer === null) return undefined;
  try {
    return unseal(secretKey, PURPOSE, mailServer.sealed);
  } catch {
    return UNREADABLE_EMAIL_SERVER;
  }
}

/**
 * Whether somebody decided who may register and who sees photos: by other values than the product's, or by saving
 * those. Until then any stranger sees the photos of children.
 */
export function isAccessDecided(config: Config, kept: Kept): boolean {
  const { registration } = config.setByServer.includes('registration') ? config : { ...config, ...kept };
  const photosSeenBy = kept.photosSeenBy ?? config.photosSeenBy;
  const isRegistrationKept = kept.registration !== undefined || config.setByServer.includes('registration');
  const isDefault = registration === 'open' && photosSeenBy === 'members';
  return !isDefault || (isRegistrationKept && kept.photosSeenBy !== undefined);
}

type Home = Pick<Deps, 'secretKey' | 'log'> & Readonly<{ config: Config; db: Db }>;

/**
 * The settings of a process whose changeable ones are always those of the last look into the database; `refresh` looks.
 * Every reader takes them from this one object. While the database cannot be read, what was read last holds.
 */
export function openLiveSettings({ config, db, secretKey, log }: Home): {
  config: Config;
  settings: LiveSettings;
} {
  let now = effectiveSettings(config, {}, secretKey);
  let last: string | null = null;
  let isFailing = false;
  let [begun, seen] = [0, 0];
  const fail = (error: unknown) => {
    if (!isFailing) log.warn({ err: error }, 'the settings could not be read: the last known ones hold');
    isFailing = true;
  };
  const beginLook = () => {
    begun += 1;
    const turn = begun;
    return (text: string | null) => {
      // One that began later may have seen a change that this one has not.
      if (turn < seen) return;
      try {
        // Parsing and unsealing takes longer than looking.
        if (text !== last) now = effectiveSettings(config, keptIn(text), secretKey);
        [last, seen, isFailing] = [text, turn, false];
      } catch (error) {
        fail(error);
      }
    };
  };
  const look = async () => {
    const saw = beginLook();
    await findSettingText(db, NAME).then(saw, fail);
  };
  return { config: liveConfig(config, () => now), settings: { refresh: inTurn(look), beginLook } };
}

// Spread into a copy, too, they are values as they are at that moment.
function liveConfig(config: Config, now: () => Changeable): Config {
  const live = { ...config };
  for (const name of Object.keys(now()) as (keyof Changeable)[]) {
    Object.defineProperty(live, name, { enumerable: true, get: () => now()[name] });
  }
  return live;
}

/** Runs one look at a time; whoever comes while one runs shares the next, which begins after they came. */
export function inTurn(look: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    running = look().finally(() => {
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
