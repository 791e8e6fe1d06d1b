import { expect, test } from 'vitest';
import { MailUrl } from '../settings-contract.ts';
import { CONNECTION_SECURITIES, smtpUrlOf } from './admin-email-settings.tsx';

test.each(CONNECTION_SECURITIES)('smtpUrlOf builds a mail server URL, security: %s', (security) => {
  const typed = {
    host: ' mail.example.org ',
    port: '587',
    security,
    user: 'a@b.example',
    password: 'p:/@?#%é ',
  };
  const url = smtpUrlOf(typed);
  expect(MailUrl.parse(url)).toBe(url);
  const { hostname, port, username, password, protocol } = new URL(url);
  expect([hostname, port, decodeURIComponent(username), decodeURIComponent(password)]).toEqual([
    'mail.example.org',
    '587',
    'a@b.example',
    'p:/@?#%é ',
  ]);
  expect(protocol).toBe(security === 'tls' ? 'smtps:' : 'smtp:');
});

test('smtpUrlOf omits the credentials if there is no user name', () => {
  const typed = { host: '10.0.0.9', port: '25', security: 'none', user: ' ', password: '' } as const;
  expect(smtpUrlOf(typed)).toBe('smtp://10.0.0.9:25?requireTLS=false');
});
