import { isIP } from 'node:net';
import { resolve } from 'node:path';
import * as z from 'zod';
import { isCalendarDate, isTimeZone, machineTimeZone } from '#shared/calendar-date.ts';
import { ADDRESS } from '#shared/email-address.ts';
import {
  DEFAULT_SENDER_NAMES,
  hasKnownOptions,
  isMailServer,
  readSender,
  SENDER_LENGTH,
  senderOf,
} from '#shared/email-settings.ts';
import { LANGUAGES, type Language } from '#shared/i18n/languages.ts';
import { misspelledSettings } from './setting-names.ts';

/** How volunteers register and join a school. */
const REGISTRATION = ['open', 'verify-email', 'approval', 'invite'] as const;

const MONTH_AND_DAY = /^(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

const url = (schemes: readonly string[], example: string) =>
  z.string().refine((text) => URL.canParse(text) && schemes.includes(new URL(text).protocol), {
    error: `must be an address such as ${example}`,
  });

// Pages are served from the root of their host.
function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username } = new URL(text);
  return ['http:', 'https:'].includes(protocol) && pathname === '/' && `${search}${hash}${username}` === '';
}

const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,6}$/, { error: `must be a whole number from ${min} to ${max}` })
    .transform(Number)
    .refine((value) => value >= min && value <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    });

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const PROXY_RANGES: readonly string[] = ['loopback', 'linklocal', 'uniquelocal'];

/** An IP address, a range ('10.0.0.0/8'), or one of the framework's names for private ranges. */
function isProxy(text: string): boolean {
  if (PROXY_RANGES.includes(text)) return true;
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
}

const GOOGLE = {
  auth: 'https://accounts.google.com/o/oauth2/v2/auth',
  token: 'https://oauth2.googleapis.com/token',
  api: 'https://www.googleapis.com',
} as const;

const backupTarget = z.string().refine((text) => !text.startsWith('s3:') || URL.canParse(text), {
  error:
    'must be a folder, or a bucket such as s3://key:secret@bucket/prefix?endpoint=https://host&region=name',
});

const email = z.string().regex(ADDRESS, { error: 'must be an email address' });

const PROVIDERS_EXAMPLE =
  'a JSON list such as [{"name":"google","title":"Google","issuer":"https://accounts.google.com","clientId":"...","clientSecret":"..."}]';

const shortText = (most: number) =>
  z
    .string({ error: 'must be a text' })
    .trim()
    .min(1, { error: 'must not be empty' })
    .max(most, { error: `must be at most ${most} characters` });

const Provider = z.strictObject(
  {
    name: z
      .string({ error: 'must be a text' })
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, { error: 'must be 1 to 40 lowercase letters, digits or hyphens' }),
    title: shortText(60),
    issuer: z.string({ error: 'must be a text' }).refine(isIssuer, {
      error:
        'must be an https: address without ? or # (http: only on this machine), exactly as the provider gives it',
    }),
    clientId: shortText(300),
    clientSecret: shortText(500),
    /** If set, only addresses of these domains may sign in; they need no approval. */
    domains: z
      .array(
        z
          .string({ error: 'must be a text' })
          .trim()
          .toLowerCase()
          .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, { error: 'must be a domain such as maplegrove.example' }),
        { error: 'must be a list of domains' },
      )
      .min(1, { error: 'must name at least one domain, or be omitted' })
      .optional(),
    /** Parsed and validated, but never grants a role. */
    roleClaim: shortText(200).optional(),
    /** Whether signing out here also signs out at the provider, if it supports that. */
    signOut: oneOf(['everywhere', 'here']).default('everywhere'),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? `has no ${issue.keys.join(', ')}` : undefined) },
);

/** A district's OpenID Connect provider with this installation's client. */
export type ProviderSettings = Readonly<z.output<typeof Provider>>;

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username } = new URL(text);
  if (search !== '' || hash !== '' || username !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** All settings by environment name (decisions: how it starts). A blank setting counts as not set. */
const Settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('./data'),
  // Not parsed as a URL: a socket address (postgres://user@/database?host=/run/postgresql) has no host part.
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/\S+$/, {
      error: 'must be an address such as postgres://user:password@host/database',
    })
    .optional(),
  DATABASE_TIMEOUT_SECONDS: wholeNumber(1, 120).default(10),
  UPDATE_BACKUP: oneOf(['on', 'off']).default('on'),
  PHOTO_STORE_URL: url(['s3:'], 's3://bucket?endpoint=https://host&region=name').optional(),
  BACKUP_TO: backupTarget.optional(),
  BACKUP_LOG_TO: backupTarget.optional(),
  BACKUP_AT: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'must be a time of day such as 01:30' })
    .default('01:30'),
  BACKUP_RECIPIENT: z
    .string()
    .regex(/^age1[0-9a-z]+$/, { error: 'must be a public key of age, such as age1ql3z7hjy54...' })
    .optional(),
  SMTP_URL: z
    .string()
    .refine(isMailServer, {
      error:
        'must be an address such as smtp://user:password@host:587; in a user or password write % as %25, / as %2F, # as %23, ? as %3F and @ as %40',
    })
    .refine((text) => !isMailServer(text) || hasKnownOptions(text), {
      error: 'must be without options other than requireTLS, tls.rejectUnauthorized, tls.servername and name',
    })
    .optional(),
  MAIL_FROM: z
    .string()
    .refine((text) => readSender(text) !== undefined, {
      error: 'must be an email address, or a name with one: Maple Grove <hours@example.org>',
    })
    .max(SENDER_LENGTH, { error: `must be at most ${SENDER_LENGTH} characters` })
    .optional(),
  PUBLIC_URL: z
    .string()
    .refine(isOrigin, {
      error: 'must be an address without a path, such as https://volunteers.example.org',
    })
    .optional(),
  DISTRICT_NAME: z
    .string()
    .max(120, { error: 'must be at most 120 characters' })
    .default(DEFAULT_SENDER_NAMES.districtName),
  SUPPORT_EMAIL: email.default(DEFAULT_SENDER_NAMES.supportEmail),
  TIME_ZONE: z
    .string()
    .refine(isTimeZone, { error: 'must be a time zone such as America/Chicago' })
    .default(machineTimeZone),
  ADMIN_EMAIL: email.optional(),
  ADMIN_PASSWORD: z.string().max(200, { error: 'must be at most 200 characters' }).optional(),
  REGISTRATION: oneOf(REGISTRATION).default('open'),
  SIGN_IN_LINK: oneOf(['on', 'off']).default('off'),
  SERVICE_WORKER: oneOf(['on', 'off']).default('on'),
  PHOTO_MANAGERS: oneOf(['members', 'uploader']).default('members'),
  PASSWORD_MIN_LENGTH: wholeNumber(6, 64).default(6),
  PASSWORD_BLOCKLIST: oneOf(['on', 'off']).default('on'),
  NEW_DEVICE_LETTERS: oneOf(['on', 'off']).default('off'),
  TRUSTED_PROXIES: z
    .string()
    .default('')
    .transform((text) =>
      text
        .split(',')
        .map((proxy) => proxy.trim())
        .filter((proxy) => proxy !== ''),
    )
    .refine((proxies) => proxies.every(isProxy), {
      error: 'must be addresses or ranges such as 10.0.0.0/8, separated by commas',
    }),
  SCHOOL_YEAR_START: z
    .string()
    .refine((text) => MONTH_AND_DAY.test(text) && isCalendarDate(`2001-${text}`), {
      error: 'must be a month and day such as 07-01',
    })
    .default('07-01'),
  SECRET_KEY: z.string().min(32, { error: 'must be at least 32 characters' }).optional(),
  OIDC_PROVIDERS: z
    .string()
    .transform((text, context) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        context.addIssue({ code: 'custom', message: `must be ${PROVIDERS_EXAMPLE}` });
        return z.NEVER;
      }
    })
    .pipe(
      z.array(Provider, { error: `must be ${PROVIDERS_EXAMPLE}` }).max(20, { error: 'must be at most 20' }),
    )
    .default([]),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  GOOGLE_AUTH_URL: url(['http:', 'https:'], GOOGLE.auth).default(GOOGLE.auth),
  GOOGLE_TOKEN_URL: url(['http:', 'https:'], GOOGLE.token).default(GOOGLE.token),
  GOOGLE_API_URL: url(['http:', 'https:'], GOOGLE.api).default(GOOGLE.api),
  LOG_LEVEL: oneOf(['debug', 'info', 'warn', 'error', 'silent']).default('warn'),
  REQUEST_LOG: oneOf(['off', 'on']).default('off'),
  SLOW_REQUEST_MS: wholeNumber(0, 999_999).default(5_000),
  SLOW_QUERY_MS: wholeNumber(0, 999_999).default(1_000),
  RELEASE_FEED_URL: url(['https:', 'http:'], 'https://releases.example.org/latest.json').optional(),
  METRICS_TOKEN: z
    .string()
    .regex(/^[A-Za-z0-9._~+/=-]{16,200}$/, { error: 'must be 16 to 200 letters, digits or ._~+/=-' })
    .optional(),
});

/** The names of all settings, and of those that the S3 client reads itself. */
export const SETTING_NAMES: readonly string[] = [
  ...Object.keys(Settings.shape),
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
];

/** The raw settings in an environment, including secrets. */
export function settingsIn(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.keys(Settings.shape).flatMap((name) => {
      const value = environment[name];
      return value === undefined || value === '' ? [] : [[name, value]];
    }),
  );
}

const VARIABLES = {
  DISTRICT_NAME: 'districtName',
  SUPPORT_EMAIL: 'supportEmail',
  SCHOOL_YEAR_START: 'schoolYearStart',
  REGISTRATION: 'registration',
  SMTP_URL: 'mail.url',
  MAIL_FROM: 'mail.from',
  TIME_ZONE: 'timeZone',
} as const;
/** A setting that the environment can fix, by its name on the district's settings screen. */
type SetByServer = (typeof VARIABLES)[keyof typeof VARIABLES];

/** A Google OAuth client, and the addresses of Google's services. `apiUrl` has no trailing slash. */
export type GoogleSettings = Readonly<{
  clientId: string;
  clientSecret: string;
  authUrl: string;
  tokenUrl: string;
  revokeUrl: string;
  apiUrl: string;
}>;

/** Invalid settings: one line per mistake, each naming its setting. */
export class ConfigError extends Error {}

/** The settings that only a district can set, as they are before it does. */
const WITHOUT_DISTRICT_SETTINGS: Readonly<{
  /** Who sees photos: all members of the school, or only those that an administrator created, invited or approved. */
  photosSeenBy: 'members' | 'approved';
  /** The district's languages; the first one is the default. */
  languages: readonly Language[];
  /** The URL and pixel size of the district's logo, if it has one. */
  districtLogo: Readonly<{ url: string; width: number; height: number }> | undefined;
}> = { photosSeenBy: 'members', languages: LANGUAGES, districtLogo: undefined };

/** The parsed settings. Those that a district can change are read again for every request. */
export type Config = Readonly<ReturnType<typeof readConfig>>;

// Long because it has one line per setting.
/** Parses the settings from an environment. Throws `ConfigError` with one line per mistake. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>) {
  const read = Settings.safeParse(withoutBlanks(environment));
  const mistakes = misspelledSettings(environment, SETTING_NAMES).map(
    ([given, meant]) => `${given}: is not a setting; did you mean ${meant}?`,
  );
  if (!read.success)
    mistakes.push(...read.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`));
  if (read.success) mistakes.push(...contradictions(read.data));
  if (!read.success || mistakes.length > 0) throw new ConfigError(mistakes.join('\n'));
  const settings = read.data;
  return {
    port: settings.PORT,
    host: settings.HOST,
    dataDir: resolve(settings.DATA_DIR),
    databaseUrl: settings.DATABASE_URL,
    /** The time limit for a request's database statements and lock waits. */
    databaseTimeoutSeconds: settings.DATABASE_TIMEOUT_SECONDS,
    /** Whether a start copies the database before migrating, so that it can roll back. */
    updateBackup: settings.UPDATE_BACKUP,
    /** An S3-compatible bucket for photos; without one they are files in the data folder. */
    photoStoreUrl: settings.PHOTO_STORE_URL,
    /** Who may edit captions and delete photos, besides administrators. */
    photoManagers: settings.PHOTO_MANAGERS,
    /** Whether users may sign in with an emailed magic link. */
    signInLink: settings.SIGN_IN_LINK === 'on',
    /** Whether browsers cache the page for offline use; turning it off also removes existing caches. */
    serviceWorker: settings.SERVICE_WORKER === 'on',
    /** The target of nightly backups, their time (HH:MM), and the encryption recipient. */
    backup: backupIn(settings),
    /** The target of SQLite log replication. */
    backupLogTo: settings.BACKUP_LOG_TO,
    /** `UNREADABLE_EMAIL_SERVER` if the district's own was encrypted with another key. */
    smtpUrl: settings.SMTP_URL,
    /** The sender of emails: the support address without MAIL_FROM. */
    mailFrom: senderOf(settings.MAIL_FROM, {
      districtName: settings.DISTRICT_NAME,
      supportEmail: settings.SUPPORT_EMAIL,
    }),
    /** MAIL_FROM as set in the environment. */
    mailFromSet: settings.MAIL_FROM,
    publicUrl: settings.PUBLIC_URL?.replace(/\/+$/, ''),
    districtName: settings.DISTRICT_NAME,
    supportEmail: settings.SUPPORT_EMAIL,
    timeZone: settings.TIME_ZONE,
    firstAdmin: firstAdminIn(settings),
    registration: settings.REGISTRATION,
    passwordMinLength: settings.PASSWORD_MIN_LENGTH,
    passwordBlocklist: settings.PASSWORD_BLOCKLIST === 'on',
    /** Whether users get an email when someone signs in to their account from an unknown browser. */
    newDeviceLetters: settings.NEW_DEVICE_LETTERS === 'on',
    trustedProxies: settings.TRUSTED_PROXIES,
    /** Month and day: '07-01'. */
    schoolYearStart: settings.SCHOOL_YEAR_START,
    ...WITHOUT_DISTRICT_SETTINGS,
    /** The district settings that the environment fixes. */
    setByServer: setIn(environment),
    secretKey: settings.SECRET_KEY,
    /** The sign-in providers. */
    providers: settings.OIDC_PROVIDERS,
    /** This installation's Google OAuth client and Google's addresses; without one Google Drive is not available. */
    google: googleIn(settings),
    logLevel: settings.LOG_LEVEL,
    /** Whether every request is logged. */
    requestLog: settings.REQUEST_LOG === 'on',
    /** The threshold for logging slow requests; 0 logs none. */
    slowRequestMs: settings.SLOW_REQUEST_MS,
    slowQueryMs: settings.SLOW_QUERY_MS,
    /** The bearer token for /metrics; without it the route does not exist. */
    metricsToken: settings.METRICS_TOKEN,
    /** Where to check once a day for the newest version; undefined turns it off. */
    releaseFeedUrl: settings.RELEASE_FEED_URL,
  };
}

function setIn(environment: Readonly<Record<string, string | undefined>>): SetByServer[] {
  const given = withoutBlanks(environment);
  return Object.entries(VARIABLES).flatMap(([variable, name]) => (variable in given ? [name] : []));
}

function withoutBlanks(environment: Readonly<Record<string, string | undefined>>) {
  return Object.fromEntries(
    Object.entries(environment)
      .map(([name, value]) => [name, value?.trim()] as const)
      .filter(([, value]) => value !== undefined && value !== ''),
  );
}

function backupIn(settings: z.output<typeof Settings>) {
  const { BACKUP_TO: to, BACKUP_AT: at, BACKUP_RECIPIENT: recipient } = settings;
  return to === undefined ? undefined : { to, at, recipient };
}

function firstAdminIn(settings: z.output<typeof Settings>) {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = settings;
  return email === undefined || password === undefined ? undefined : { email, password };
}

function googleIn(settings: z.output<typeof Settings>): GoogleSettings | undefined {
  const { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret } = settings;
  if (clientId === undefined || clientSecret === undefined) return undefined;
  const tokenUrl = withPath(settings.GOOGLE_TOKEN_URL, new URL(GOOGLE.token).pathname);
  return {
    clientId,
    clientSecret,
    authUrl: withPath(settings.GOOGLE_AUTH_URL, new URL(GOOGLE.auth).pathname),
    tokenUrl,
    revokeUrl: new URL('revoke', tokenUrl).href,
    apiUrl: settings.GOOGLE_API_URL.replace(/\/+$/, ''),
  };
}

// A URL without a path means the service's default path.
function withPath(address: string, path: string): string {
  const url = new URL(address);
  if (url.pathname === '/') url.pathname = path;
  return url.href;
}

function contradictions(settings: z.output<typeof Settings>): string[] {
  const mistakes: string[] = [];
  if ((settings.ADMIN_EMAIL === undefined) !== (settings.ADMIN_PASSWORD === undefined)) {
    const missing = settings.ADMIN_EMAIL === undefined ? 'ADMIN_EMAIL' : 'ADMIN_PASSWORD';
    mistakes.push(`${missing}: must be set, because ADMIN_EMAIL and ADMIN_PASSWORD belong together`);
  }
  if (
    settings.ADMIN_PASSWORD !== undefined &&
    settings.ADMIN_PASSWORD.length < settings.PASSWORD_MIN_LENGTH
  ) {
    mistakes.push(`ADMIN_PASSWORD: must be at least ${settings.PASSWORD_MIN_LENGTH} characters`);
  }
  if ((settings.GOOGLE_CLIENT_ID === undefined) !== (settings.GOOGLE_CLIENT_SECRET === undefined)) {
    const missing = settings.GOOGLE_CLIENT_ID === undefined ? 'GOOGLE_CLIENT_ID' : 'GOOGLE_CLIENT_SECRET';
    mistakes.push(
      `${missing}: must be set, because GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET belong together`,
    );
  }
  if (settings.BACKUP_TO !== undefined && isInside(settings.DATA_DIR, settings.BACKUP_TO)) {
    mistakes.push('BACKUP_TO: must not be inside DATA_DIR, or both would be lost together');
  }
  mistakes.push(...mistakesOfLogCopy(settings), ...mistakesOfProviders(settings));
  return mistakes;
}

function mistakesOfProviders(settings: z.output<typeof Settings>): string[] {
  const { OIDC_PROVIDERS: providers, PUBLIC_URL: publicUrl } = settings;
  const names = providers.map(({ name }) => name);
  const mistakes = names.flatMap((name, index) =>
    names.indexOf(name) === index ? [] : [`OIDC_PROVIDERS.${index}.name: ${name} is used twice`],
  );
  if (names.length > 0 && publicUrl === undefined) {
    mistakes.push('OIDC_PROVIDERS: needs PUBLIC_URL, the address that providers send people back to');
  }
  return mistakes;
}

function mistakesOfLogCopy(settings: z.output<typeof Settings>): string[] {
  const {
    BACKUP_LOG_TO: to,
    BACKUP_RECIPIENT: recipient,
    DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
  } = settings;
  if (to === undefined) return [];
  const mistakes: string[] = [];
  if (isInside(folder, to))
    mistakes.push('BACKUP_LOG_TO: must not be inside DATA_DIR, or both would be lost together');
  if (databaseUrl !== undefined) {
    mistakes.push('BACKUP_LOG_TO: is only for SQLite. On PostgreSQL use archive_command');
  }
  if (recipient !== undefined) {
    mistakes.push(
      'BACKUP_LOG_TO: cannot be used with BACKUP_RECIPIENT, because continuing a copy needs the key. Set only one of the two',
    );
  }
  return mistakes;
}

function isInside(folder: string, path: string): boolean {
  return !path.startsWith('s3:') && `${resolve(path)}/`.startsWith(`${resolve(folder)}/`);
}
