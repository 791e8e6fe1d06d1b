import * as z from 'zod/mini';
import type twoFactorText from '#features/auth/two-factor/messages.en.json';
import type retentionText from '#features/privacy/retention/messages.staff.en.json';
import { isCalendarDate, isTimeZone } from '#shared/calendar-date.ts';
import { ADDRESS } from '#shared/email-address.ts';
import { hasKnownOptions, isMailServer, readSender, SENDER_LENGTH } from '#shared/email-settings.ts';
import { endpoint } from '#shared/endpoint.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { normalizeText, requiredLine } from '#shared/text-normalization.ts';
import { REGISTRATION_MODES } from './contract.ts';
import type text from './messages.staff.en.json';
import { Retention, RetentionPending } from './retention-periods.ts';

const say = messageFactory<typeof text>('district-settings');
const sayRetention = messageFactory<typeof retentionText>('retention');
const sayTwoFactor = messageFactory<typeof twoFactorText>('two-factor');

/**
 * Maximum length of a district name, an email address and a mail server address in characters, and the longest grace period in
 * days.
 */
export const LIMITS = { name: 120, email: 254, url: 1_000, graceDays: 90 } as const;

/** Messages of the district's settings. */
export const messages = {
  nameRequired: say('settingsNameRequired'),
  badEmail: say('settingsBadEmail'),
  badYearStart: say('settingsBadYearStart'),
  badChoice: say('settingsBadChoice'),
  languageRequired: say('settingsLanguageRequired'),
  badMailServer: say('settingsBadMailServer'),
  badMailOptions: say('settingsBadMailOptions'),
  hostRequired: say('settingsHostRequired'),
  badPort: say('settingsBadPort'),
  userRequired: say('settingsUserRequired'),
  badSender: say('settingsBadSender'),
  setByServer: say('settingsSetByServer'),
  timeZoneFixed: say('settingsTimeZoneFixed'),
  failedToLoad: sayRetention('failedToLoad'),
  saved: sayRetention('saved'),
  savedPending: (at: string) => sayRetention('savedPending', { at }),
  graceDays: sayTwoFactor('graceDays', { most: LIMITS.graceDays }),
  requirementUnknown: sayTwoFactor('demandUnknown'),
  testSent: (email: string) => say('settingsTestSent', { email }),
  testTooMany: say('settingsTestTooMany'),
  noMailServer: say('settingsNoMailServer'),
} as const;

/** Reasons why the mail server did not accept a test email. */
export const mailServerErrors = {
  name: (host: string) => say('testFaultName', { host }),
  unreachable: (host: string) => say('testFaultUnreachable', { host }),
  password: (host: string) => say('testFaultPassword', { host }),
  loginNeeded: (host: string) => say('testFaultLoginNeeded', { host }),
  certificate: (host: string) => say('testFaultCertificate', { host }),
  sender: (host: string, from: string) => say('testFaultSender', { host, from }),
  receiver: (host: string) => say('testFaultReceiver', { host }),
  refused: (host: string) => say('testFaultRefused', { host }),
  unreadable: say('testFaultUnreadable'),
} as const;

const MONTH_AND_DAY = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const address = z.pipe(
  z.string(messages.badEmail),
  z.pipe(
    z.transform(normalizeText),
    z.string().check(z.maxLength(LIMITS.email, messages.badEmail), z.regex(ADDRESS, messages.badEmail)),
  ),
);

/** The URL of a mail server: smtp://user:password@host:587. */
export const MailUrl = z.pipe(
  z.string(messages.badMailServer),
  z.pipe(
    z.transform(normalizeText),
    z.string().check(
      z.maxLength(LIMITS.url, messages.badMailServer),
      z.refine(isMailServer, messages.badMailServer),
      z.refine((url) => !isMailServer(url) || hasKnownOptions(url), messages.badMailOptions),
    ),
  ),
);

/** The sender of emails. */
export const MailFrom = z.pipe(
  z.string(messages.badSender),
  z.pipe(
    z.transform(normalizeText),
    z.string().check(
      z.maxLength(SENDER_LENGTH, messages.badSender),
      z.refine((from) => readSender(from) !== undefined, messages.badSender),
    ),
  ),
);

/** The settings except the mail server. */
export const DistrictFields = {
  districtName: requiredLine(LIMITS.name, messages.nameRequired),
  supportEmail: address,
  /** Month and day: '07-01'. */
  schoolYearStart: z
    .string(messages.badYearStart)
    .check(
      z.refine((text) => MONTH_AND_DAY.test(text) && isCalendarDate(`2001-${text}`), messages.badYearStart),
    ),
  /** The name of a time zone: 'America/Chicago'. It can be changed until hours are logged. */
  timeZone: z.string(messages.badChoice).check(z.refine(isTimeZone, messages.badChoice)),
  registration: z.enum(REGISTRATION_MODES, messages.badChoice),
  /**
   * With `approved`, a member sees a school's photos once an administrator created, invited, imported or approved them there, or
   * gave them a role that sees photos. Others see their own uploads only: empty lists, `photoCount` 0, 404.
   */
  photosSeenBy: z.enum(['members', 'approved'], messages.badChoice),
  languages: z
    .array(z.enum(LANGUAGES, messages.badChoice), messages.badChoice)
    .check(z.minLength(1, messages.languageRequired), z.maxLength(LANGUAGES.length, messages.badChoice)),
} as const;

/**
 * The settings in replies. The mail server's URL is secret: `url` is true if there is one, `server` is its 'host:port'.
 * `isReadable` is false if it was encrypted with another SECRET_KEY and has to be set again. `from` is null if emails have the
 * district's name and support address.
 */
export const DistrictShown = {
  ...DistrictFields,
  /** Whether hours have been logged. Their days depend on the time zone, so it can no longer be changed. */
  isTimeZoneFixed: z.boolean(),
  /** Whether an administrator decided who may register and who sees photos, or confirmed the defaults. */
  isAccessDecided: z.boolean(),
  logoUrl: z.nullable(z.string()),
  mail: z.object({
    url: z.nullable(z.literal(true)),
    server: z.nullable(z.string()),
    isReadable: z.boolean(),
    from: z.nullable(z.string()),
  }),
} as const;

/** A change of the settings. Omitted fields stay, as does a mail server sent as `true`. */
const Change = z.extend(z.partial(z.object(DistrictFields)), {
  mail: z.optional(
    z.object({
      url: z.optional(z.nullable(z.union([z.literal(true), MailUrl], messages.badMailServer))),
      from: z.optional(z.nullable(MailFrom)),
    }),
  ),
});
export type DistrictChange = z.infer<typeof Change>;
const Shown = z.object(DistrictShown);
export type DistrictShown = z.infer<typeof Shown>;

const graceDays = z
  .number(messages.graceDays)
  .check(
    z.int(messages.graceDays),
    z.minimum(0, messages.graceDays),
    z.maximum(LIMITS.graceDays, messages.graceDays),
  );

/** The users who must use two-factor authentication, and how many days each of them has to set it up. */
export const TwoFactorRequirementFields = {
  secondFactor: z.enum(['optional', 'administrators'], messages.requirementUnknown),
  secondFactorGraceDays: graceDays,
} as const;

/**
 * The district's settings. `setByServer` names those set by the environment, `retentionPending` has shorter periods that
 * do not apply yet.
 */
export const Settings = z.object({
  settings: z.object({ ...DistrictShown, retention: Retention, ...TwoFactorRequirementFields }),
  setByServer: z.array(z.string()),
  retentionPending: z.nullable(RetentionPending),
});

export const getSettings = endpoint('GET', '/admin/settings', { reply: Settings });

/**
 * Changes settings; omitted fields stay. A shorter period applies after `SHORTENING_DELAY_HOURS`, and all district
 * administrators get an email about it. Sending the current period cancels a shorter one that does not apply yet.
 */
export const changeSettings = endpoint('PUT', '/admin/settings', {
  freshProof: {
    when: 'it changes who may register, the mail server, the support address or who needs two-step sign-in, shows photos to more people or shortens a period',
  },
  body: z.extend(Change, {
    retention: z.optional(z.partial(Retention)),
    ...z.partial(z.object(TwoFactorRequirementFields)).shape,
  }),
  reply: z.object({ ...Settings.shape, message: z.string() }),
});

/** The recipient of a test email. */
export const TestMail = z.object({ to: address });

/** Sends a test email immediately. Returns 409 with the reason if the mail server does not accept it. */
export const testMailServer = endpoint('POST', '/admin/settings/test-mail', {
  isLong: true,
  body: TestMail,
  reply: z.object({ message: z.string() }),
});
