import type { Readable } from 'node:stream';

/** A stored file, ready to be read. */
export type StoredFile = Readonly<{ content: Readable; bytes: number }>;

/** A stored file's name, and when it was stored, in milliseconds. */
export type Listed = Readonly<{ name: string; at: number }>;

/**
 * Where pictures are stored: a folder, or an S3-compatible store. Names are random, in lower case, with one ending
 * (`FILE_NAME`), and never used twice: a stored file never changes.
 */
export type FileStore = Readonly<{
  /** Stores the content of a local file under a name. Once this returns, the content survives a crash. */
  put: (name: string, path: string) => Promise<void>;
  /** A file, or undefined. */
  read: (name: string) => Promise<StoredFile | undefined>;
  /** Removes a file; does nothing when it does not exist. */
  remove: (name: string) => Promise<void>;
  /** Every file, in no order. */
  list: () => AsyncIterable<Listed>;
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
