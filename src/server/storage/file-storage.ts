import type { Readable } from 'node:stream';

/** A stored file, ready to be read. */
export type StoredFile = Readonly<{ content: Readable; bytes: number }>;

/** A stored file's name, and when it was stored, in milliseconds. */
export type FileEntry = Readonly<{ name: string; at: number }>;

/**
 * Photo storage: a folder or an S3-compatible bucket. Names are random, lower case, with one extension
 * (`FILE_NAME`), and never reused: a stored file never changes.
 */
export type FileStorage = Readonly<{
  /** Stores a local file's content under a name; it may move the file. After the return the content survives a crash. */
  put: (name: string, path: string) => Promise<void>;
  /** Returns the file, or undefined if it does not exist. */
  read: (name: string) => Promise<StoredFile | undefined>;
  /** Removes a file; does nothing when it does not exist. */
  remove: (name: string) => Promise<void>;
  /** Lists all files, in no particular order. */
  list: () => AsyncIterable<FileEntry>;
  /** Throws when the store cannot be reached. */
  check: () => Promise<void>;
  close: () => void;
}>;

/** The pattern of a file name. */
export const FILE_NAME = /^[a-z0-9]{8}[a-z0-9-]{0,60}\.[a-z]{2,5}$/;

/** Throws for an invalid name, before it becomes a path. */
export function requireFileName(name: string): string {
  if (!FILE_NAME.test(name)) throw new Error('not the name of a stored file');
  return name;
}
