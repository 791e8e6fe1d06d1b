import { expect, test } from 'vitest';
import { databaseFailure, isTemporaryFailure } from './database-errors.ts';

test.each([
  ['57014', 'a statement that took too long', 'slow'],
  ['55P03', 'a lock timeout', 'slow'],
  ['25P03', 'a transaction idle for too long', 'slow'],
  ['25006', 'a read-only transaction', 'readOnly'],
  ['SQLITE_READONLY', 'a read-only file', 'readOnly'],
  ['SQLITE_READONLY_DIRECTORY', 'a read-only folder', 'readOnly'],
  ['SQLITE_READONLY_DBMOVED', 'a file that was moved', 'gone'],
  ['53100', 'a full disk', 'full'],
  ['SQLITE_FULL', 'a full disk', 'full'],
  ['53300', 'no connection left', 'unreachable'],
  ['57P01', 'a shutdown', 'unreachable'],
  ['57P02', 'a crash', 'unreachable'],
  ['57P03', 'a server that is starting', 'unreachable'],
  ['40001', 'a serialization failure', 'unreachable'],
  ['40P01', 'a deadlock', 'unreachable'],
  ['58030', 'a disk that fails', 'unreachable'],
  ['XX001', 'a damaged page', 'unreachable'],
  ['3D000', 'a database that is gone', 'unreachable'],
  ['SQLITE_IOERR_FSYNC', 'a disk that fails', 'unreachable'],
  ['SQLITE_BUSY', 'a file that another program holds', 'unreachable'],
  ['SQLITE_CORRUPT', 'a damaged file', 'unreachable'],
])('the database error %s (%s) is temporary', (code, _what, failure) => {
  const known = databaseFailure(Object.assign(new Error('x'), { code }));
  expect([known, isTemporaryFailure(known)]).toEqual([failure, true]);
});

test.each(['23505', '23503', '23514', '42703', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR'])(
  'the database error %s is not temporary',
  (code) => {
    expect(isTemporaryFailure(databaseFailure(Object.assign(new Error('x'), { code })))).toBe(false);
  },
);
