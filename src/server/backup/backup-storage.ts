import type { Instant } from '#shared/calendar-date.ts';
import { type Backup, BackupError, type Manifest } from './manifest.ts';

/** A file of a backup, as its manifest lists it. */
export type BackupFile = Manifest['files'][number];

/** A place where backups lie. */
export type BackupStorage = Readonly<{
  /** The complete backups, the oldest first. */
  backups: () => Promise<Backup[]>;
  /** The backup that the address itself names, if it names one rather than a place with several. */
  itself: () => Promise<Backup | undefined>;
  /** Begins a backup of this moment, or of the next one that no other backup has. */
  begin: (at: Instant) => Promise<BackupUpload>;
  /** Removes backups; one that is removed by half is never taken for a backup. */
  remove: (backups: readonly Backup[]) => Promise<void>;
  /** The same backup in a folder of this machine: its own, or a copy made in `into`. */
  fetch: (backup: Backup, into: string) => Promise<Backup>;
  /** Keeps a small text beside the backups, in place of what has this name there. */
  note: (name: string, text: string) => Promise<void>;
  /** Reads what `note` wrote; undefined when there is none. Throws `BackupError` when it is too large to be a note. */
  noted: (name: string) => Promise<string | undefined>;
  close: () => void;
}>;

/** No note is larger. */
export const NOTE_BYTES = 10_000_000;

/** The error of a note that is. */
export function tooLarge(path: string): BackupError {
  return new BackupError(`${path} is too large to have been written by this program`);
}

/** A backup that is being made. Exactly one of `finish` and `discard` ends it. */
export type BackupUpload = Readonly<{
  moment: Instant;
  /** A folder of this machine in which its files are made. */
  work: string;
  /** Takes a file over from an earlier backup; false when it is not there any more. */
  reuse: (file: BackupFile, earlier: Backup) => Promise<boolean>;
  /** Stores a file that was made in `work`. */
  keep: (file: BackupFile) => Promise<void>;
  /** Makes it a complete backup, once everything is stored. */
  finish: (manifest: Manifest) => Promise<Backup>;
  discard: () => Promise<void>;
}>;
