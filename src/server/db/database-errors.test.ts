import { expect, test } from 'vitest';
import { databaseFailure, isTemporaryFailure } from './database-errors.ts';

test.each([
  ['57014', 'a statement that took too long', 'slow'],
  ['55P03', 'a lock that was not had in time', 'slow'],
  ['25P03', 'idle in a transaction', 'slow'],
  ['25006', 'a read-only transaction', 'readOnly'],
  ['SQLITE_READONLY', 'a read-only file', 'readOnly'],
  ['SQLITE_READONLY_DIRECTORY', 'a read-only folder', 'readOnly'],
  ['SQLITE_READONLY_DBMOVED', 'a file that was moved', 'gone'],
  ['53100', 'a full disk', 'full'],
  ['SQLITE_FULL', 'a full disk', 'full'],
  ['53300', 'no slot left', 'unreachable'],
  ['57P01', 'shut down', 'unreachable'],
  ['57P02', 'crashed', 'unreachable'],
  ['57P03', 'starting', 'unreachable'],
  ['40001', 'a transaction that lost', 'unreachable'],
  ['40P01', 'a deadlock', 'unreachable'],
  ['58030', 'a disk that fails', 'unreachable'],
  ['XX001', 'a damaged page', 'unreachable'],
  ['3D000', 'a database that is gone', 'unreachable'],
  ['SQLITE_IOERR_FSYNC', 'a disk that fails', 'unreachable'],
  ['SQLITE_BUSY', 'a file that another program holds', 'unreachable'],
  ['SQLITE_CORRUPT', 'a damaged file', 'unreachable'],
])('%s, %s, is temporary', (code, _what, failure) => {
  const known = databaseFailure(Object.assign(new Error('x'), { code }));
  expect([known, isTemporaryFailure(known)]).toEqual([failure, true]);
});

test.each(['23505', '23503', '23514', '42703', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR'])(
  '%s is not temporary: it is a reply or a bug',
  (code) => {
    expect(isTemporaryFailure(databaseFailure(Object.assign(new Error('x'), { code })))).toBe(false);
  },
);
