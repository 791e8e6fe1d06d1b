import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Sealed } from './encryption.ts';

/** Which key opens something: one that stays on the device, or one that ends with the session of a shared computer. */
export type SealedBy = 'device' | 'session';

/** Something that waits; what it is, only its account's key tells. */
export type WaitingRow = Readonly<{
  id: string;
  account: number;
  kind: 'entry' | 'photo';
  by: SealedBy;
  /** The size of its file. */
  bytes: number;
  sealed: Sealed;
}>;

export type FileRow = Readonly<{ id: string; account: number; by: SealedBy; sealed: Sealed }>;

/** The lists that were last shown; `session` is a hash of the session they came in. */
export type AnswersRow = Readonly<{ account: number; session: string; by: SealedBy; sealed: Sealed }>;

interface Tables extends DBSchema {
  keys: { key: number; value: { account: number; key: CryptoKey } };
  waiting: { key: string; value: WaitingRow; indexes: { account: number } };
  files: { key: string; value: FileRow; indexes: { account: number } };
  answers: { key: number; value: AnswersRow };
}

export type Database = IDBPDatabase<Tables>;

/** On a full or failing disk a write is reported as done only when it is. */
export const SAFELY = { durability: 'strict' } as const;

let opened: Promise<Database> | undefined;

/** Opens what this browser keeps. Rejects where it keeps nothing, as in some private windows. */
export function database(): Promise<Database> {
  opened ??= openDB<Tables>('kept', 1, {
    upgrade(db) {
      db.createObjectStore('keys', { keyPath: 'account' });
      db.createObjectStore('waiting', { keyPath: 'id' }).createIndex('account', 'account');
      db.createObjectStore('files', { keyPath: 'id' }).createIndex('account', 'account');
      db.createObjectStore('answers', { keyPath: 'account' });
    },
    // A newer version of these pages in another tab must not wait for this one.
    blocking: (_from, _to, event) => (event.target as IDBDatabase).close(),
    terminated: forget,
  }).catch((error: unknown) => {
    forget();
    throw error;
  });
  return opened;
}

function forget(): void {
  opened = undefined;
}

/** Whether this browser can keep anything at all: not over http, and not where storage is switched off. */
export function canStoreOffline(): boolean {
  return 'indexedDB' in globalThis && globalThis.crypto?.subtle !== undefined && 'locks' in navigator;
}
