import { type Actor, recordEvent } from '#server/audit-log.ts';
import type { Db, Trx } from '#server/db/database.ts';
import type { Deps } from '#server/deps.ts';
import { UNREADABLE_EMAIL_SERVER } from '#server/email/mailer.ts';
import { isUnchanged } from '#server/http/change-checks.ts';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { type DistrictChange, type DistrictShown, messages } from '../settings-contract.ts';
import {
  decryptMailServer,
  effectiveSettings,
  encryptMailServer,
  isAccessDecided,
  readStoredDistrict,
  type StoredSettings,
  saveStoredDistrict,
  serverOf,
} from './live-settings.ts';
import { hasEntries } from './settings-store.ts';

const PLAIN = [
  'districtName',
  'supportEmail',
  'schoolYearStart',
  'timeZone',
  'registration',
  'photosSeenBy',
  'languages',
] as const;

/** Returns the effective settings without secrets. */
export async function readDistrict(db: Db, deps: Deps): Promise<DistrictShown> {
  return toDistrictShown(deps, await readStoredDistrict(db), await hasEntries(db));
}

type ChangeRequest = Readonly<{ change: DistrictChange; requireProof: () => void }>;

/**
 * Changes settings; omitted fields stay. Throws 409 for a setting that the environment sets to another value. Calls
 * `requireProof` before changing who may register, the mail server or the support address, or showing photos to more
 * people. Returns the new settings.
 */
export async function saveDistrict(
  trx: Trx,
  deps: Deps,
  actor: Actor,
  { change, requireProof }: ChangeRequest,
): Promise<DistrictShown> {
  rejectSetByServer(deps, change);
  const stored = await readStoredDistrict(trx);
  const next = applyChange(deps, stored, change);
  const [before, after] = [toAuditedSettings(deps, stored), toAuditedSettings(deps, next)];
  const isFixed = await hasEntries(trx);
  if (isFixed && before.timeZone !== after.timeZone) {
    throw errors.conflict(messages.timeZoneFixed);
  }
  // The compared settings contain only the mail server's host and port, so a new password shows only in the ciphertext.
  const isOtherServer = stored.mailServer?.sealed !== next.mailServer?.sealed;
  if (isUnchanged(before, after) && !isOtherServer) {
    // Saving the defaults is a decision too.
    if (!isAccessDecided(deps.config, stored) && isAccessDecided(deps.config, next))
      await saveStoredDistrict(trx, next);
    return toDistrictShown(deps, next, isFixed);
  }
  const changed = (Object.keys(after) as (keyof AuditedSettings)[]).filter(
    (name) => before[name] !== after[name] || (name === 'mailServer' && isOtherServer),
  );
  const showsMore = changed.includes('photosSeenBy') && after.photosSeenBy === 'members';
  if (showsMore || changed.some((name) => NEEDS_PROOF.includes(name))) requireProof();
  await saveStoredDistrict(trx, next);
  const only = (all: AuditedSettings) => Object.fromEntries(changed.map((name) => [name, all[name]]));
  await recordEvent(trx, actor, {
    action: 'district.settings',
    subject: 'setting',
    subjectId: null,
    before: only(before),
    after: only(after),
  });
  return toDistrictShown(deps, next, isFixed);
}

// Changing these requires re-authentication. The support address may be the sender of emails, and people are asked to write to
// it.
const NEEDS_PROOF: readonly string[] = ['registration', 'mailServer', 'mailFrom', 'supportEmail'];

/** The settings in the audit log; of the mail server only host and port. */
type AuditedSettings = Readonly<
  Record<(typeof PLAIN)[number], string> & { mailServer: string | null; mailFrom: string | null }
>;

function toAuditedSettings({ config, secretKey }: Deps, stored: StoredSettings): AuditedSettings {
  const { smtpUrl, mailFrom: _, districtLogo: __, ...plain } = effectiveSettings(config, stored, secretKey);
  return {
    ...plain,
    languages: plain.languages.join(', '),
    mailServer: findServer(smtpUrl, stored),
    mailFrom: findSender(config, stored),
  };
}

function toDistrictShown(
  { config, secretKey }: Deps,
  stored: StoredSettings,
  isTimeZoneFixed: boolean,
): DistrictShown {
  const { smtpUrl, mailFrom: _, districtLogo, ...plain } = effectiveSettings(config, stored, secretKey);
  return {
    ...plain,
    languages: [...plain.languages],
    isTimeZoneFixed,
    isAccessDecided: isAccessDecided(config, stored),
    logoUrl: districtLogo?.url ?? null,
    mail: {
      url: smtpUrl === undefined ? null : true,
      server: findServer(smtpUrl, stored),
      isReadable: smtpUrl !== UNREADABLE_EMAIL_SERVER,
      from: findSender(config, stored),
    },
  };
}

function findServer(smtpUrl: string | undefined, { mailServer }: StoredSettings): string | null {
  if (smtpUrl === undefined) return null;
  return smtpUrl === UNREADABLE_EMAIL_SERVER ? (mailServer?.server ?? null) : serverOf(smtpUrl);
}

function findSender(
  { setByServer, mailFromSet }: Deps['config'],
  { mailFrom }: StoredSettings,
): string | null {
  return (setByServer.includes('mail.from') ? mailFromSet : mailFrom) ?? null;
}

function rejectSetByServer({ config }: Deps, { mail = {}, ...change }: DistrictChange): void {
  const isOther = {
    districtName: differs(change.districtName, config.districtName),
    supportEmail: differs(change.supportEmail, config.supportEmail),
    schoolYearStart: differs(change.schoolYearStart, config.schoolYearStart),
    timeZone: differs(change.timeZone, config.timeZone),
    registration: differs(change.registration, config.registration),
    'mail.url': mail.url !== true && differs(mail.url, config.smtpUrl),
    'mail.from': differs(mail.from, config.mailFromSet),
  };
  const problems: [string, Message][] = config.setByServer
    .filter((name) => isOther[name])
    .map((name) => [name, messages.setByServer]);
  if (problems.length > 0) throw errors.setByServer(messages.setByServer, Object.fromEntries(problems));
}

function differs(given: string | null | undefined, set: string | undefined): boolean {
  return given !== undefined && given !== set;
}

// Values set by the environment are not stored, because they would still apply after the variable is removed.
function applyChange(
  { config, secretKey }: Deps,
  stored: StoredSettings,
  change: DistrictChange,
): StoredSettings {
  const plain = PLAIN.filter(
    (name) => change[name] !== undefined && !(config.setByServer as readonly string[]).includes(name),
  ).map((name) => [name, change[name]]);
  const { url, from } = change.mail ?? {};
  return {
    ...stored,
    ...Object.fromEntries(plain),
    ...(url === undefined || url === true || config.setByServer.includes('mail.url')
      ? {}
      : { mailServer: changeServer(stored, secretKey, url) }),
    ...(from === undefined || config.setByServer.includes('mail.from') ? {} : { mailFrom: from }),
  };
}

// The same URL keeps its ciphertext and is not a change.
function changeServer(
  stored: StoredSettings,
  secretKey: Buffer,
  url: string | null,
): StoredSettings['mailServer'] {
  if (url === null) return null;
  return decryptMailServer(stored, secretKey) === url ? stored.mailServer : encryptMailServer(secretKey, url);
}
