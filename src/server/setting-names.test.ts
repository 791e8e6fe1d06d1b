import { expect, test } from 'vitest';
import { readConfig, SETTING_NAMES } from './config.ts';
import { maskSetting, misspelledSettings, unknownSettings } from './setting-names.ts';

test.each([
  ['BACKUP_T0', 'BACKUP_TO'],
  ['DATABSE_URL', 'DATABASE_URL'],
  ['PUBLC_URL', 'PUBLIC_URL'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['SMTP_URI', 'SMTP_URL'],
  ['TIMEZONE', 'TIME_ZONE'],
  ['SMTP_URLL', 'SMTP_URL'],
  ['SMPT_URL', 'SMTP_URL'],
  ['smtp_url', 'SMTP_URL'],
])('the misspelled setting %s stops the start with an error that suggests %s', (given, meant) => {
  expect(() => readConfig({ [given]: 'x' })).toThrow(`${given}: is not a setting; did you mean ${meant}?`);
});

test.each(['PATH', 'PORTS', 'TRUSTED_PROXY', 'npm_config_port', 'HOSTNAME', 'XDG_DATA_DIRS', 'TZ'])(
  'the environment variable %s is not reported as a misspelled setting',
  (given) => expect(misspelledSettings({ [given]: 'x' }, SETTING_NAMES)).toEqual([]),
);

test('no two settings differ by only one letter', () => {
  for (const name of SETTING_NAMES) {
    const others = SETTING_NAMES.filter((other) => other !== name);
    expect(misspelledSettings({ [name]: 'x' }, others)).toEqual([]);
  }
});

test('unknownSettings reports only variables that begin like a setting', () => {
  const environment = { TRUSTED_PROXY: 'x', SECRET_KEY_FILE: 'x', PATH: 'x', BACKUP_TO: 'x', PORT: '1' };
  expect(unknownSettings(environment, SETTING_NAMES)).toEqual(['TRUSTED_PROXY', 'SECRET_KEY_FILE']);
});

test.each([
  ['SECRET_KEY', 'canary-canary'],
  ['ADMIN_PASSWORD', 'canary'],
  ['METRICS_TOKEN', 'canary'],
  ['GOOGLE_CLIENT_SECRET', 'canary'],
  ['OIDC_PROVIDERS', '[{"clientSecret":"canary"}]'],
  ['SMTP_URL', 'smtp://hours:canary@mail.example.org:587'],
  ['DATABASE_URL', 'postgres://hours:canary@db/hours'],
  ['DATABASE_URL', 'postgres:///hours?password=canary'],
  ['BACKUP_TO', 's3://canary:canary@bucket/prefix?endpoint=https://host'],
])('maskSetting hides the secret in %s=%s', (name, value) => {
  expect(maskSetting(name, value)).not.toContain('canary');
});

test('maskSetting does not hide parts that are not secret', () => {
  expect(maskSetting('BACKUP_TO', '/mnt/backups')).toBe('/mnt/backups');
  expect(maskSetting('SMTP_URL', 'smtp://hours:x@mail.example.org:587')).toBe(
    'smtp://***@mail.example.org:587',
  );
});
