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
  type Kept,
  readStoredDistrict,
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
  return shown(deps, await readStoredDistrict(db), await hasEntries(db));
}

type Asked = Readonly<{ change: DistrictChange; requireProof: () => void }>;

/**
 * Changes settings; omitted fields stay. Throws 409 for a setting that the environment sets to another value. Calls
 * `requireProof` before changing who may register, the mail server or the support address, or showing photos to more
 * people. Returns the new settings.
 */
export async function saveDistrict(
  trx: Trx,
  deps: Deps,
  actor: Actor,
  { change, requireProof }: Asked,
): Promise<DistrictShown> {
  refuseSetByServer(deps, change);
  const kept = await readStoredDistrict(trx);
  const next = withChange(deps, kept, change);
  const [before, after] = [told(deps, kept), told(deps, next)];
  const isFixed = await hasEntries(trx);
  if (isFixed && before.timeZone !== after.timeZone) {
    throw errors.conflict(messages.timeZoneFixed);
  }
  // The audit log does not show a new password for the same server.
  const isOtherServer = kept.mailServer?.sealed !== next.mailServer?.sealed;
  if (isUnchanged(before, after) && !isOtherServer) {
    // Saving the defaults is a decision too.
    if (!isAccessDecided(deps.config, kept) && isAccessDecided(deps.config, next))
      await saveStoredDistrict(trx, next);
    return shown(deps, next, isFixed);
  }
  const changed = (Object.keys(after) as (keyof Told)[]).filter(
    (name) => before[name] !== after[name] || (name === 'mailServer' && isOtherServer),
  );
  const showsMore = changed.includes('photosSeenBy') && after.photosSeenBy === 'members';
  if (showsMore || changed.some((name) => NEEDS_PROOF.includes(name))) requireProof();
  await saveStoredDistrict(trx, next);
  const only = (all: Told) => Object.fromEntries(changed.map((name) => [name, all[name]]));
  await recordEvent(trx, actor, {
    action: 'district.settings',
    subject: 'setting',
    subjectId: null,
    before: only(before),
    after: only(after),
  });
  return shown(deps, next, isFixed);
}

// The support address may be the sender of emails, and the sign-in page asks people to write to it.
const NEEDS_PROOF: readonly string[] = ['registration', 'mailServer', 'mailFrom', 'supportEmail'];

/** The settings in the audit log; of the mail server only host and port. */
type Told = Readonly<
  Record<(typeof PLAIN)[number], string> & { mailServer: string | null; mailFrom: string | null }
>;

function told({ config, secretKey }: Deps, kept: Kept): Told {
  const { smtpUrl, mailFrom: _, districtLogo: __, ...plain } = effectiveSettings(config, kept, secretKey);
  return {
    ...plain,
    languages: plain.languages.join(', '),
    mailServer: serverIn(smtpUrl, kept),
    mailFrom: senderIn(config, kept),
  };
}

function shown({ config, secretKey }: Deps, kept: Kept, isTimeZoneFixed: boolean): DistrictShown {
  const { smtpUrl, mailFrom: _, districtLogo, ...plain } = effectiveSettings(config, kept, secretKey);
  return {
    ...plain,
    languages: [...plain.languages],
    isTimeZoneFixed,
    isAccessDecided: isAccessDecided(config, kept),
    logoUrl: districtLogo?.url ?? null,
    mail: {
      url: smtpUrl === undefined ? null : true,
      server: serverIn(smtpUrl, kept),
      isReadable: smtpUrl !== UNREADABLE_EMAIL_SERVER,
      from: senderIn(config, kept),
    },
  };
}

function serverIn(smtpUrl: string | undefined, { mailServer }: Kept): string | null {
  if (smtpUrl === undefined) return null;
  return smtpUrl === UNREADABLE_EMAIL_SERVER ? (mailServer?.server ?? null) : serverOf(smtpUrl);
}

function senderIn({ setByServer, mailFromSet }: Deps['config'], { mailFrom }: Kept): string | null {
  return (setByServer.includes('mail.from') ? mailFromSet : mailFrom) ?? null;
}

function refuseSetByServer({ config }: Deps, { mail = {}, ...change }: DistrictChange): void {
  const isOther = {
    districtName: differs(change.districtName, config.districtName),
    supportEmail: differs(change.supportEmail, config.supportEmail),
    schoolYearStart: differs(change.schoolYearStart, config.schoolYearStart),
    timeZone: differs(change.timeZone, config.timeZone),
    registration: differs(change.registration, config.registration),
    'mail.url': mail.url !== true && differs(mail.url, config.smtpUrl),
    'mail.from': differs(mail.from, config.mailFromSet),
  };
  const faults: [string, Message][] = config.setByServer
    .filter((name) => isOther[name])
    .map((name) => [name, messages.setByServer]);
  if (faults.length > 0) throw errors.setByServer(messages.setByServer, Object.fromEntries(faults));
}

function differs(given: string | null | undefined, set: string | undefined): boolean {
  return given !== undefined && given !== set;
}

// Values set by the environment are not stored: they would apply again once the variable is removed.
function withChange({ config, secretKey }: Deps, kept: Kept, change: DistrictChange): Kept {
  const plain = PLAIN.filter(
    (name) => change[name] !== undefined && !(config.setByServer as readonly string[]).includes(name),
  ).map((name) => [name, change[name]]);
  const { url, from } = change.mail ?? {};
  return {
    ...kept,
    ...Object.fromEntries(plain),
    ...(url === undefined || url === true || config.setByServer.includes('mail.url')
      ? {}
      : { mailServer: serverAfter(kept, secretKey, url) }),
    ...(from === undefined || config.setByServer.includes('mail.from') ? {} : { mailFrom: from }),
  };
}

// The same URL keeps its ciphertext and is not a change.
function serverAfter(kept: Kept, secretKey: Buffer, url: string | null): Kept['mailServer'] {
  if (url === null) return null;
  return decryptMailServer(kept, secretKey) === url ? kept.mailServer : encryptMailServer(secretKey, url);
}
