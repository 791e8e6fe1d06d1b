import { expect, test } from 'vitest';
import { emailServerError } from './email-server-error.ts';

test.each([
  ['a closed port', { code: 'ESOCKET', originalCode: 'ECONNREFUSED' }],
  ['a silent port', { code: 'ETIMEDOUT', command: 'CONN' }],
  ['another protocol', { code: 'EPROTOCOL', command: 'CONN', responseCode: 400 }],
  ['a wrong encryption', { code: 'ESOCKET', message: 'wrong version number' }],
  ['a connection that breaks off', { code: 'ECONNECTION', originalCode: 'ECONNRESET' }],
  ['an unknown error', undefined],
])('emailServerError reports %s only as unreachable', (_, error) => {
  expect(emailServerError(error, false)).toBe('unreachable');
});

test.each([
  ['certificate', { code: 'ESOCKET', originalCode: 'DEPTH_ZERO_SELF_SIGNED_CERT' }],
  ['name', { code: 'EDNS', originalCode: 'ENOTFOUND' }],
  ['password', { code: 'EAUTH', responseCode: 535 }],
  ['loginNeeded', { code: 'EENVELOPE', responseCode: 530, command: 'MAIL FROM' }],
  ['sender', { code: 'EENVELOPE', responseCode: 553, command: 'MAIL FROM' }],
  ['receiver', { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }],
  ['refused', { code: 'EMESSAGE', responseCode: 554, command: 'DATA' }],
])('emailServerError names a problem that an administrator can correct: %s', (fault, error) => {
  expect(emailServerError(error, false)).toBe(fault);
});
