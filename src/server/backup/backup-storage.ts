import type { Instant } from '#shared/calendar-date.ts';
import { type Backup, BackupError, type Manifest } from './manifest.ts';

/** A file of a backup, as its manifest lists it. */
export type BackupFile = Manifest['files'][number];

/** A storage for backups. */
export type BackupStorage = Readonly<{
  /** The complete backups, the oldest first. */
  backups: () => Promise<Backup[]>;
  /** The backup at the address itself, if the address names a single backup instead of a storage. */
  findOwn: () => Promise<Backup | undefined>;
  /** Begins a backup with this timestamp, or the next one that no other backup has. */
  begin: (at: Instant) => Promise<BackupUpload>;
  /** Removes backups. A partly removed one is never mistaken for a complete backup. */
  remove: (backups: readonly Backup[]) => Promise<void>;
  /** Returns the backup as a local folder: its own, or a copy made in `into`. */
  fetch: (backup: Backup, into: string) => Promise<Backup>;
  /** Stores a small text file next to the backups, replacing one of the same name. */
  writeNote: (name: string, text: string) => Promise<void>;
  /** Reads a file written by `writeNote`; undefined if there is none. Throws `BackupError` when it is too large. */
  readNote: (name: string) => Promise<string | undefined>;
  close: () => void;
}>;

/** The largest note, in bytes. */
export const NOTE_BYTES = 10_000_000;

/** The error for a note above the limit. */
export function noteTooLargeError(path: string): BackupError {
  return new BackupError(`${path} is too large to have been written by this program`);
}

/** A backup in progress. Call exactly one of `finish` and `discard`. */
export type BackupUpload = Readonly<{
  moment: Instant;
  /** The local folder in which its files are created. */
  work: string;
  /** Reuses a file of an earlier backup; false if it is gone. */
  reuse: (file: BackupFile, earlier: Backup) => Promise<boolean>;
  /** Stores a file that was created in `work`. */
  store: (file: BackupFile) => Promise<void>;
  /** Completes the backup, once everything is stored. */
  finish: (manifest: Manifest) => Promise<Backup>;
  discard: () => Promise<void>;
}>;
