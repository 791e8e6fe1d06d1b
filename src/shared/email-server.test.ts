import { expect, test } from 'vitest';
import { isMailServer, readSender } from './email-settings.ts';

test.each([
  '169.254.169.254',
  '0xa9fea9fe',
  '[fe80::1]',
  '[::ffff:169.254.169.254]',
  '[::169.254.169.254]',
  '[64:ff9b::a9fe:a9fe]',
  '[fd00:ec2::254]',
  '0.0.0.0',
  '0',
  '[::]',
  '[::ffff:0.0.0.0]',
  'metadata.google.internal',
  'Metadata.Google.Internal.',
])('isMailServer rejects the host %s', (host) => {
  expect(isMailServer(`smtp://${host}:25`)).toBe(false);
});

test.each(['mail.example.org', 'localhost', '127.0.0.1', '10.0.0.5', '[::1]', '[fd00::25]', '[2001:db8::1]'])(
  'isMailServer accepts the host %s',
  (host) => {
    expect(isMailServer(`smtp://${host}:25`)).toBe(true);
  },
);

test.each([
  ['hours@example.org', ''],
  ['<hours@example.org>', ''],
  ['Maple Grove Schools <hours@example.org>', 'Maple Grove Schools'],
])('readSender parses %s', (text, name) => {
  expect(readSender(text)).toEqual({ name, address: 'hours@example.org' });
});
