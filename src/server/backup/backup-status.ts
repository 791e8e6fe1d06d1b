import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Instant } from '#shared/calendar-date.ts';
import { type Db, SQLITE_FILE, withDatabase } from '../db/database.ts';
import { getServerStates, setServerState } from '../db/server-state.ts';
import type { DatabaseLocation } from '../db/snapshot.ts';

const SUCCESS = 'backup:success';
const FAILURE = 'backup:failure';
const RESTORE_TEST = 'backup:restore-test';
const LOG_COPY = 'log-copy';
const REASON_LENGTH = 300;

/** A finished backup: total bytes, duration, and its location without secrets. */
export type MadeBackup = Readonly<{ to: string; bytes: number; milliseconds: number }>;

/**
 * The state of this database's backups. `to` is the location of the last one, without secrets. `lastError` is the reason why
 * the newest attempt failed, or null if it succeeded. `lastRestoreTestAt` is the time of the last test restore.
 */
export type BackupState = Readonly<{
  lastAt: Instant | null;
  lastError: string | null;
  to: string | null;
  lastErrorAt: Instant | null;
  lastBytes: number | null;
  lastMilliseconds: number | null;
  lastRestoreTestAt: Instant | null;
}>;

/** Reads the state of this database's backups. */
export async function readBackupState(db: Db): Promise<BackupState> {
  const stored = await getServerStates(db, [SUCCESS, FAILURE, RESTORE_TEST]);
  const [success, failure] = [stored.get(SUCCESS), stored.get(FAILURE)];
  const made = success === undefined ? undefined : (JSON.parse(success.value) as MadeBackup);
  const isFailing = failure !== undefined && (success === undefined || failure.at > success.at);
  return {
    lastAt: success?.at ?? null,
    lastError: isFailing ? failure.value : null,
    to: made?.to ?? null,
    lastErrorAt: isFailing ? failure.at : null,
    lastBytes: made?.bytes ?? null,
    lastMilliseconds: made?.milliseconds ?? null,
    lastRestoreTestAt: stored.get(RESTORE_TEST)?.at ?? null,
  };
}

/** Stores a successful backup and its time. */
export async function storeBackupResult(
  db: Db,
  { to, bytes, milliseconds }: MadeBackup,
  at: Instant,
): Promise<void> {
  await setServerState(db, SUCCESS, JSON.stringify({ to, bytes, milliseconds }), at);
}

/** Stores why a backup failed. */
export async function storeBackupFailure(db: Db, reason: string, at: Instant): Promise<void> {
  await setServerState(db, FAILURE, toOneLine(reason), at);
}

/** Stores the time of the last test restore. */
export async function storeRestoreTest(db: Db, at: Instant): Promise<void> {
  await setServerState(db, RESTORE_TEST, 'restored', at);
}

/** Runs `note` on the configured database. Does nothing if the database does not exist or cannot be written. */
export async function storeIfDatabaseExists(
  place: DatabaseLocation,
  note: (db: Db) => Promise<void>,
): Promise<void> {
  if (place.databaseUrl === undefined && !existsSync(join(place.dataDir, SQLITE_FILE))) return;
  try {
    await withDatabase(place, ({ db }) => note(db));
  } catch {
    // Not worth failing for, because the program prints the same information.
  }
}

/** The backup location for display: a bucket's address without its key and options. */
export function withoutSecrets(to: string): string {
  if (!to.startsWith('s3:') || !URL.canParse(to)) return to;
  const { host, pathname } = new URL(to);
  return `s3://${host}${pathname}`.replace(/\/+$/, '');
}

/**
 * The state of log replication: its target without secrets, the time of the last confirmed write, and why and since when it has
 * been failing.
 */
export type LogReplicationState = Readonly<{
  to: string | null;
  lastAt: Instant | null;
  lastError: string | null;
  failingSince: Instant | null;
}>;

type StoredLogReplication = Readonly<{
  to: string;
  copiedAt: Instant | null;
  failure: string | null;
  failingSince: Instant | null;
}>;

/** Reads the state of log replication. */
export async function readLogReplicationState(db: Db): Promise<LogReplicationState> {
  const stored = (await getServerStates(db, [LOG_COPY])).get(LOG_COPY);
  if (stored === undefined) return { to: null, lastAt: null, lastError: null, failingSince: null };
  const { to, copiedAt, failure, failingSince } = JSON.parse(stored.value) as StoredLogReplication;
  return { to, lastAt: copiedAt, lastError: failure, failingSince };
}

/** Stores the state of log replication. */
export async function storeLogReplicationState(
  db: Db,
  state: StoredLogReplication,
  at: Instant,
): Promise<void> {
  await setServerState(db, LOG_COPY, JSON.stringify(state), at);
}

/** Shortens a text to one line that both engines can store. */
export function toOneLine(reason: string): string {
  const line = reason
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim();
  return line.slice(0, REASON_LENGTH).toWellFormed() || 'unknown';
}
