import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { machineTimeZone } from '#shared/calendar-date.ts';
import { ConfigError, readConfig } from './config.ts';

/** The lines that a start with these settings ends with; none when they are right. */
function mistakes(settings: Record<string, string>): string[] {
  try {
    readConfig(settings);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

test('readConfig has a default for every setting', () => {
  expect(readConfig({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    dataDir: resolve('./data'),
    databaseUrl: undefined,
    databaseTimeoutSeconds: 10,
    photoStoreUrl: undefined,
    photoManagers: 'members',
    backup: undefined,
    updateBackup: 'on',
    smtpUrl: undefined,
    mailFrom: { name: 'Our School District', address: 'support@example.org' },
    mailFromSet: undefined,
    publicUrl: undefined,
    districtName: 'Our School District',
    supportEmail: 'support@example.org',
    timeZone: machineTimeZone(),
    firstAdmin: undefined,
    registration: 'open',
    signInLink: false,
    serviceWorker: true,
    newDeviceLetters: false,
    passwordMinLength: 6,
    passwordBlocklist: true,
    trustedProxies: [],
    schoolYearStart: '07-01',
    photosSeenBy: 'members',
    languages: ['en', 'es'],
    setByServer: [],
    secretKey: undefined,
    providers: [],
    google: undefined,
    logLevel: 'warn',
    requestLog: false,
    slowRequestMs: 5_000,
    slowQueryMs: 1_000,
    metricsToken: undefined,
    releaseFeedUrl: undefined,
  });
});

test('readConfig reads each setting', () => {
  expect(
    readConfig({
      PORT: '0',
      HOST: '::1',
      DATA_DIR: '/srv/hours',
      DATABASE_URL: 'postgres://hours@/hours?host=/run/postgresql',
      DATABASE_TIMEOUT_SECONDS: '25',
      PHOTO_STORE_URL: 's3://pear:plum@photos?endpoint=https://store.example.org',
      PHOTO_MANAGERS: 'uploader',
      SMTP_URL: 'smtp://hours:pear@mail.example.org:587',
      MAIL_FROM: 'Maple Hours <hours@maplegrove.example>',
      PUBLIC_URL: 'https://hours.example.org/',
      DISTRICT_NAME: '  Maple Grove  ',
      SUPPORT_EMAIL: 'help@maplegrove.example',
      TIME_ZONE: 'America/Chicago',
      ADMIN_EMAIL: 'ada@maplegrove.example',
      ADMIN_PASSWORD: 'maple-lantern-42',
      REGISTRATION: 'approval',
      SIGN_IN_LINK: 'on',
      SERVICE_WORKER: 'off',
      PASSWORD_MIN_LENGTH: '12',
      PASSWORD_BLOCKLIST: 'off',
      TRUSTED_PROXIES: '10.0.0.0/8, loopback,, 2001:db8::1',
      SCHOOL_YEAR_START: '08-15',
      SECRET_KEY: 'k'.repeat(32),
      GOOGLE_CLIENT_ID: 'district.apps.googleusercontent.com',
      GOOGLE_CLIENT_SECRET: 'plum',
      GOOGLE_API_URL: 'http://127.0.0.1:9000/',
      LOG_LEVEL: 'debug',
      REQUEST_LOG: 'on',
      SLOW_REQUEST_MS: '0',
      SLOW_QUERY_MS: '250',
      METRICS_TOKEN: 'maple-lantern-42-orchard',
      RELEASE_FEED_URL: 'https://releases.example.org/latest.json',
    }),
  ).toEqual({
    port: 0,
    host: '::1',
    dataDir: '/srv/hours',
    databaseUrl: 'postgres://hours@/hours?host=/run/postgresql',
    databaseTimeoutSeconds: 25,
    photoStoreUrl: 's3://pear:plum@photos?endpoint=https://store.example.org',
    photoManagers: 'uploader',
    backup: undefined,
    updateBackup: 'on',
    smtpUrl: 'smtp://hours:pear@mail.example.org:587',
    mailFrom: { name: 'Maple Hours', address: 'hours@maplegrove.example' },
    mailFromSet: 'Maple Hours <hours@maplegrove.example>',
    publicUrl: 'https://hours.example.org',
    districtName: 'Maple Grove',
    supportEmail: 'help@maplegrove.example',
    timeZone: 'America/Chicago',
    firstAdmin: { email: 'ada@maplegrove.example', password: 'maple-lantern-42' },
    registration: 'approval',
    signInLink: true,
    serviceWorker: false,
    newDeviceLetters: false,
    passwordMinLength: 12,
    passwordBlocklist: false,
    trustedProxies: ['10.0.0.0/8', 'loopback', '2001:db8::1'],
    schoolYearStart: '08-15',
    photosSeenBy: 'members',
    languages: ['en', 'es'],
    setByServer: [
      'districtName',
      'supportEmail',
      'schoolYearStart',
      'registration',
      'mail.url',
      'mail.from',
      'timeZone',
    ],
    secretKey: 'k'.repeat(32),
    providers: [],
    google: {
      clientId: 'district.apps.googleusercontent.com',
      clientSecret: 'plum',
      authUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
      tokenUrl: 'https://oauth2.googleapis.com/token',
      revokeUrl: 'https://oauth2.googleapis.com/revoke',
      apiUrl: 'http://127.0.0.1:9000',
    },
    logLevel: 'debug',
    requestLog: true,
    slowRequestMs: 0,
    slowQueryMs: 250,
    metricsToken: 'maple-lantern-42-orchard',
    releaseFeedUrl: 'https://releases.example.org/latest.json',
  });
});

test('readConfig treats a blank setting as missing', () => {
  expect(readConfig({ PORT: ' ', DATABASE_URL: '', TIME_ZONE: undefined, REGISTRATION: '\t' })).toEqual(
    readConfig({}),
  );
});

describe('readConfig reports in one line', () => {
  test.each([
    ['PORT', 'abc'],
    ['PORT', '70000'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['DATABASE_URL', 'mysql://hours:apricot@host/hours'],
    ['DATABASE_URL', 'host/hours'],
    ['PHOTO_STORE_URL', 'https://bucket.example.org'],
    ['SMTP_URL', 'mail.example.org:587'],
    ['MAIL_FROM', 'the office'],
    ['MAIL_FROM', 'Hours <hours@maplegrove.example'],
    ['PUBLIC_URL', 'hours.example.org'],
    ['PUBLIC_URL', 'javascript:alert(1)'],
    ['PUBLIC_URL', 'https://district.example.org/hours'],
    ['PUBLIC_URL', 'https://hours.example.org/?a=b'],
    ['SMTP_URL', 'smtp://user@district.example:p@ss#word/1@127.0.0.1:2525'],
    ['SMTP_URL', 'smtp://user:pa/ss@mail.example.org'],
    ['SMTP_URL', 'smtp://mail.example.org?logger=true'],
    ['DISTRICT_NAME', 'x'.repeat(121)],
    ['SUPPORT_EMAIL', 'the office'],
    ['TIME_ZONE', 'Middle/Earth'],
    ['REGISTRATION', 'closed'],
    ['PHOTO_MANAGERS', 'everyone'],
    ['PASSWORD_MIN_LENGTH', '5'],
    ['PASSWORD_MIN_LENGTH', '65'],
    ['PASSWORD_MIN_LENGTH', 'long'],
    ['PASSWORD_BLOCKLIST', 'yes'],
    ['TRUSTED_PROXIES', 'the proxy'],
    ['TRUSTED_PROXIES', '10.0.0.1, 10.0.0.256'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '172.16.0.0/'],
    ['SCHOOL_YEAR_START', '02-30'],
    ['SCHOOL_YEAR_START', '02-29'],
    ['SCHOOL_YEAR_START', '7-1'],
    ['SECRET_KEY', 'too-short-for-a-secret'],
    ['GOOGLE_AUTH_URL', 'apricot'],
    ['GOOGLE_TOKEN_URL', 'ftp://host'],
    ['GOOGLE_API_URL', '/drive'],
    ['LOG_LEVEL', 'loud'],
    ['REQUEST_LOG', 'apricot'],
    ['SLOW_QUERY_MS', '1s'],
    ['METRICS_TOKEN', 'apricot'],
    ['RELEASE_FEED_URL', 'apricot'],
    ['RELEASE_FEED_URL', 'file:///etc/passwd'],
  ])('the invalid setting %s=%s', (name, value) => {
    const lines = mistakes({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: must be .+`))]);
    // The line may end up in a log, and the value may be a password.
    expect(lines[0]).not.toContain(value);
  });

  test.each([
    [{ ADMIN_PASSWORD: 'maple-lantern-42' }, 'ADMIN_EMAIL: must be set, because'],
    [{ ADMIN_EMAIL: 'ada@maplegrove.example' }, 'ADMIN_PASSWORD: must be set, because'],
    [{ GOOGLE_CLIENT_SECRET: 'apricot-and-plum' }, 'GOOGLE_CLIENT_ID: must be set, because'],
    [{ GOOGLE_CLIENT_ID: 'apricot-and-plum' }, 'GOOGLE_CLIENT_SECRET: must be set, because'],
    [
      { ADMIN_EMAIL: 'ada@maplegrove.example', ADMIN_PASSWORD: 'short' },
      'ADMIN_PASSWORD: must be at least 6 characters',
    ],
    [
      { ADMIN_EMAIL: 'ada@maplegrove.example', ADMIN_PASSWORD: 'ten-letter', PASSWORD_MIN_LENGTH: '12' },
      'ADMIN_PASSWORD: must be at least 12 characters',
    ],
    [{ ADMIN_EMAIL: 'ada', ADMIN_PASSWORD: 'maple-lantern-42' }, 'ADMIN_EMAIL: must be an email address'],
  ])('the missing or invalid setting in %j', (settings, line) => {
    expect(mistakes(settings)).toEqual([expect.stringContaining(line)]);
  });
});

describe('OpenID Connect providers', () => {
  const google = {
    name: 'google',
    title: 'Google',
    issuer: 'https://accounts.google.com',
    clientId: 'hours',
    clientSecret: 'apricot-and-plum',
  };
  const PUBLIC_URL = 'https://hours.maplegrove.example';
  const given = (...providers: readonly object[]) => ({
    PUBLIC_URL,
    OIDC_PROVIDERS: JSON.stringify(providers),
  });

  test('can be more than one', () => {
    const local = {
      ...google,
      name: 'local',
      issuer: 'http://127.0.0.1:8080/realms/one',
      roleClaim: 'roles',
      signOut: 'here',
    };
    const settings = given({ ...google, domains: [' MapleGrove.example '] }, local);
    expect(readConfig(settings).providers).toEqual([
      { ...google, domains: ['maplegrove.example'], roleClaim: undefined, signOut: 'everywhere' },
      { ...local, domains: undefined, signOut: 'here' },
    ]);
    expect(readConfig({ OIDC_PROVIDERS: ' ' }).providers).toEqual([]);
  });

  test.each([
    ['apricot', 'OIDC_PROVIDERS: must be a JSON list'],
    ['{"name":"google"}', 'OIDC_PROVIDERS: must be a JSON list'],
    [[{ ...google, name: 'Google Mail' }], 'OIDC_PROVIDERS.0.name: must be 1 to 40 lowercase letters'],
    [[{ ...google, title: ' ' }], 'OIDC_PROVIDERS.0.title: must not be empty'],
    [[{ ...google, issuer: 'http://sso.maplegrove.example' }], 'OIDC_PROVIDERS.0.issuer: must be an https:'],
    [[{ ...google, issuer: 'http://127.0.0.1.evil.example' }], 'OIDC_PROVIDERS.0.issuer: must be an https:'],
    [[{ ...google, issuer: 'https://a.example/?x=1' }], 'OIDC_PROVIDERS.0.issuer: must be an https:'],
    [[{ ...google, clientSecret: undefined }], 'OIDC_PROVIDERS.0.clientSecret: must be a text'],
    [[{ ...google, clientSecret: 5 }], 'OIDC_PROVIDERS.0.clientSecret: must be a text'],
    [[{ ...google, domains: [] }], 'OIDC_PROVIDERS.0.domains: must name at least one domain'],
    [[{ ...google, domains: ['@x'] }], 'OIDC_PROVIDERS.0.domains.0: must be a domain'],
    [[{ ...google, signOut: 'there' }], 'OIDC_PROVIDERS.0.signOut: must be'],
    [[{ ...google, clientID: 'x' }], 'OIDC_PROVIDERS.0: has no clientID'],
    [[google, google], 'OIDC_PROVIDERS.1.name: google is used twice'],
  ])('are rejected if invalid: %j', (providers, line) => {
    const OIDC_PROVIDERS = typeof providers === 'string' ? providers : JSON.stringify(providers);
    const lines = mistakes({ PUBLIC_URL, OIDC_PROVIDERS });
    expect(lines).toEqual([expect.stringContaining(line)]);
    expect(lines[0]).not.toContain('apricot');
  });

  test('require PUBLIC_URL', () => {
    const { OIDC_PROVIDERS } = given(google);
    expect(mistakes({ OIDC_PROVIDERS })).toEqual([
      'OIDC_PROVIDERS: needs PUBLIC_URL, the address that providers send people back to',
    ]);
  });
});

test('readConfig reports each of several mistakes in a line of its own', () => {
  const lines = mistakes({ PORT: 'abc', TIME_ZONE: 'Here', REGISTRATION: 'closed', SECRET_KEY: 'short' });
  expect(lines.map((line) => line.split(':')[0])).toEqual([
    'PORT',
    'TIME_ZONE',
    'REGISTRATION',
    'SECRET_KEY',
  ]);
});

test('BACKUP_TO is a bucket or a folder outside DATA_DIR; an invalid time or recipient is reported', () => {
  expect(readConfig({ BACKUP_TO: '/mnt/backups' }).backup).toEqual({
    to: '/mnt/backups',
    at: '01:30',
    recipient: undefined,
  });
  expect(
    mistakes({ BACKUP_TO: 's3://key:secret@bucket/hours?endpoint=https://host', BACKUP_AT: '23:59' }),
  ).toEqual([]);
  expect(mistakes({ BACKUP_TO: '/srv/hours/b', DATA_DIR: '/srv/hours' })).toEqual([
    'BACKUP_TO: must not be inside DATA_DIR, or both would be lost together',
  ]);
  expect(mistakes({ BACKUP_TO: '/mnt/b', BACKUP_AT: '24:00', BACKUP_RECIPIENT: 'somebody' })).toEqual([
    'BACKUP_AT: must be a time of day such as 01:30',
    'BACKUP_RECIPIENT: must be a public key of age, such as age1ql3z7hjy54...',
  ]);
});
