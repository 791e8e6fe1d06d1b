import { type DBSchema, type IDBPDatabase, openDB } from 'idb';
import type { Sealed } from './encryption.ts';

/** The encryption key: one that stays on the device, or one that ends with the session on a shared computer. */
export type SealedBy = 'device' | 'session';

/** A pending change. Its content is encrypted with a key of its account. */
export type PendingRow = Readonly<{
  id: string;
  account: number;
  kind: 'entry' | 'photo';
  by: SealedBy;
  /** The size of its file in bytes. */
  bytes: number;
  sealed: Sealed;
}>;

export type FileRow = Readonly<{ id: string; account: number; by: SealedBy; sealed: Sealed }>;

/** The cached lists; `session` is the hash of the token of the session that loaded them. */
export type CachedListsRow = Readonly<{ account: number; session: string; by: SealedBy; sealed: Sealed }>;

interface Tables extends DBSchema {
  keys: { key: number; value: { account: number; key: CryptoKey } };
  waiting: { key: string; value: PendingRow; indexes: { account: number } };
  files: { key: string; value: FileRow; indexes: { account: number } };
  answers: { key: number; value: CachedListsRow };
}

export type Database = IDBPDatabase<Tables>;

/** Reports a write as done only once it is on disk, even if the disk is full or failing. */
export const DURABLE = { durability: 'strict' } as const;

let opened: Promise<Database> | undefined;

/** Opens this browser's database. Rejects if the browser stores nothing, as in some private windows. */
export function database(): Promise<Database> {
  opened ??= openDB<Tables>('offline', 1, {
    upgrade(db) {
      db.createObjectStore('keys', { keyPath: 'account' });
      db.createObjectStore('waiting', { keyPath: 'id' }).createIndex('account', 'account');
      db.createObjectStore('files', { keyPath: 'id' }).createIndex('account', 'account');
      db.createObjectStore('answers', { keyPath: 'account' });
    },
    // A newer version of the page in another tab must not wait for this one.
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

/** Whether this browser can store anything: not over http, and not if storage is off. */
export function canStoreOffline(): boolean {
  return 'indexedDB' in globalThis && globalThis.crypto?.subtle !== undefined && 'locks' in navigator;
}
