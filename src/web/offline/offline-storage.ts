import { randomKey } from '../api/random-key.ts';
import {
  type Database,
  DURABLE,
  database,
  type FileRow,
  type PendingRow,
  type SealedBy,
} from './database.ts';
import {
  forgetSessionKey,
  makeKey,
  type Sealed,
  seal,
  sealJson,
  sessionKey,
  sessionKeyOwner,
  unseal,
  unsealJson,
  whenKeyIsGone,
} from './encryption.ts';
import type { NewPendingChange, PendingChange } from './pending-changes.ts';

/** Maximum total size, in bytes, of pending photo files on a device. */
export const MAX_FILE_BYTES = 50 * 1024 * 1024;

/** Thrown if the pending files would exceed the limit. */
export class StorageLimitReached extends Error {}

/** A session's cached lists by name. */
export type CachedLists = Readonly<Record<string, Readonly<{ at: number; data: unknown }>>>;

type SealedContent = Omit<PendingChange, 'id' | 'kind' | 'bytes'>;

/** What this browser stores for an account. */
export type Store = Readonly<{
  account: number;
  isShared: boolean;
  /** Returns pending changes in order, except those that no key can decrypt any more. */
  all: () => Promise<PendingChange[]>;
  /** Throws StorageLimitReached, or the browser's own error if its storage is full. */
  add: (newChange: NewPendingChange) => Promise<void>;
  change: (id: string, change: Partial<SealedContent>) => Promise<void>;
  remove: (id: string) => Promise<void>;
  file: (id: string) => Promise<Blob | undefined>;
  saveLists: (session: string, answers: CachedLists) => Promise<void>;
  answers: () => Promise<CachedLists>;
  deleteLists: () => Promise<void>;
  /** Removes pending changes and cached lists; the session continues. */
  removeContents: () => Promise<void>;
  /** Removes everything stored for the account, including its key. */
  removeAll: () => Promise<void>;
}>;

type Keys = Readonly<{ device: CryptoKey | undefined; session: CryptoKey | undefined }>;

/**
 * Opens an account's store. On a shared computer it is encrypted with a key that ends with the session, and other
 * accounts' leftovers are removed; undefined if that key is not available. Rejects if the browser stores nothing.
 */
export async function openStore(account: number, isShared: boolean): Promise<Store | undefined> {
  const db = await database();
  await removeLeftovers(db, account);
  const by: SealedBy = isShared ? 'session' : 'device';
  const session = isShared || sessionKeyOwner() === account ? await sessionKey(account) : undefined;
  const device = isShared ? (await db.get('keys', account))?.key : await deviceKey(db, account);
  const key = isShared ? session : device;
  if (key === undefined) return undefined;
  return storeOf({ db, account, isShared, by, key, keys: { device, session } });
}

/** Returns the account of an earlier session on this device, for a start without a connection. */
export async function accountOf(session: string): Promise<number | undefined> {
  const rows = await (await database()).getAll('answers');
  return rows.find((row) => row.session === session)?.account;
}

/** Counts the pending changes on this device, of all accounts. */
export async function countPendingChanges(): Promise<Readonly<{ entry: number; photo: number }>> {
  const rows = await (await database()).getAll('waiting');
  const of = (kind: PendingRow['kind']) => rows.filter((row) => row.kind === kind).length;
  return { entry: of('entry'), photo: of('photo') };
}

/** Returns an account's pending changes that this device can decrypt, for the sign-in page. */
export async function pendingChangesOf(account: number): Promise<PendingChange[]> {
  const db = await database();
  const device = (await db.get('keys', account))?.key;
  const session = sessionKeyOwner() === account ? await sessionKey(account) : undefined;
  return allOf(db, account, { device, session });
}

/** Removes the cached lists of every other session, which can't be shown any more. */
export async function deleteOtherCachedLists(session: string | undefined): Promise<void> {
  const db = await database();
  for (const row of await db.getAll('answers')) {
    if (row.session !== session) await db.delete('answers', row.account);
  }
}

type OpenedStore = Readonly<{
  db: Database;
  account: number;
  isShared: boolean;
  by: SealedBy;
  /** The key for new data. */
  key: CryptoKey;
  keys: Keys;
}>;

function storeOf(opened: OpenedStore): Store {
  const { db, account, isShared, by, key, keys } = opened;
  const all = () => allOf(db, account, keys);
  return {
    account,
    isShared,
    all,
    add: async (newChange) => addTo(opened, await all(), newChange),
    change: async (id, change) => {
      const row = await db.get('waiting', id);
      const before = row && (await read(keys, row));
      if (row === undefined || before === undefined) return;
      const { id: _, kind: _kind, bytes: _bytes, ...content } = { ...before, ...change };
      const sealed = await sealJson(key, content, aboutOf(account, id));
      const trx = db.transaction('waiting', 'readwrite', DURABLE);
      // Another tab may have sent or removed it meanwhile.
      if ((await trx.store.getKey(id)) !== undefined) await trx.store.put({ ...row, by, sealed });
      await trx.done;
    },
    remove: async (id) => {
      const trx = db.transaction(['waiting', 'files'], 'readwrite', DURABLE);
      await Promise.all([
        trx.objectStore('waiting').delete(id),
        trx.objectStore('files').delete(id),
        trx.done,
      ]);
    },
    file: async (id) => fileOf(keys, await db.get('files', id)),
    ...answersOf(opened),
    removeContents: () => removeAccount(db, account, { keepsKey: true }),
    removeAll: async () => {
      await removeAccount(db, account);
      if (isShared) forgetSessionKey();
    },
  };
}

async function allOf(db: Database, account: number, keys: Keys): Promise<PendingChange[]> {
  const rows = await db.getAllFromIndex('waiting', 'account', account);
  const found = await Promise.all(rows.map((row) => read(keys, row)));
  return found.filter((change) => change !== undefined).toSorted((a, b) => a.order - b.order);
}

async function read(keys: Keys, row: PendingRow): Promise<PendingChange | undefined> {
  const content = (await open(keys, row, aboutOf(row.account, row.id))) as SealedContent | undefined;
  return content && { ...content, id: row.id, kind: row.kind, bytes: row.bytes };
}

function answersOf({ db, account, by, key, keys }: OpenedStore) {
  const about = aboutOf(account, 'answers');
  const answers = async (): Promise<CachedLists> => {
    const row = await db.get('answers', account);
    return ((row && (await open(keys, row, about))) ?? {}) as CachedLists;
  };
  return {
    answers,
    saveLists: async (session: string, lists: CachedLists) => {
      await db.put('answers', { account, session, by, sealed: await sealJson(key, lists, about) });
    },
    deleteLists: () => db.delete('answers', account),
  };
}

async function addTo(
  { db, account, by, key }: OpenedStore,
  waiting: readonly PendingChange[],
  newChange: NewPendingChange,
) {
  const { kind, file, ...rest } = newChange;
  const bytes = file?.size ?? 0;
  const usedBytes = waiting.reduce((sum, change) => sum + change.bytes, 0);
  if (bytes > 0 && usedBytes + bytes > MAX_FILE_BYTES) throw new StorageLimitReached();
  const id = randomKey();
  const order = (waiting.at(-1)?.order ?? 0) + 1;
  const content: SealedContent = { ...rest, order, isEdited: false, refusal: undefined };
  const sealed = await sealJson(key, content, aboutOf(account, id));
  const sealedFile = file && (await seal(key, await file.arrayBuffer(), aboutOf(account, `${id} file`)));
  const trx = db.transaction(['waiting', 'files'], 'readwrite', DURABLE);
  const writes: Promise<unknown>[] = [
    trx.objectStore('waiting').put({ id, account, kind, by, bytes, sealed }),
  ];
  if (sealedFile) writes.push(trx.objectStore('files').put({ id, account, by, sealed: sealedFile }));
  await Promise.all([...writes, trx.done]);
}

async function fileOf(keys: Keys, row: FileRow | undefined): Promise<Blob | undefined> {
  if (row === undefined) return undefined;
  const key = keys[row.by];
  if (key === undefined) return undefined;
  return new Blob([await unseal(key, row.sealed, aboutOf(row.account, `${row.id} file`))]);
}

// Undecryptable data counts as gone: its key ended with a session on a shared computer.
async function open(keys: Keys, row: { by: SealedBy; sealed: Sealed }, about: string): Promise<unknown> {
  const key = keys[row.by];
  if (key === undefined) return undefined;
  return unsealJson(key, row.sealed, about).catch(() => undefined);
}

// One key for all tabs: the first one stored wins.
async function deviceKey(db: Database, account: number): Promise<CryptoKey> {
  const existing = await db.get('keys', account);
  if (existing !== undefined) return existing.key;
  const created = await makeKey(false);
  const trx = db.transaction('keys', 'readwrite', DURABLE);
  const first = await trx.store.get(account);
  if (first === undefined) await trx.store.put({ account, key: created });
  await trx.done;
  return first?.key ?? created;
}

// Removes what other users' sessions on a shared computer left, and what no key can decrypt any more.
async function removeLeftovers(db: Database, account: number): Promise<void> {
  const owner = sessionKeyOwner();
  if (owner !== undefined && owner !== account) {
    forgetSessionKey();
    await removeSealedBySession(db, (row) => row.account === owner);
  }
  await removeUnreadable();
}

/** Removes what sessions on this shared computer stored, once no tab has the key. */
export async function removeUnreadable(): Promise<void> {
  const db = await database();
  await whenKeyIsGone(() => removeSealedBySession(db, () => true));
}

type Row = Readonly<{ account: number; by: SealedBy }>;

async function removeSealedBySession(db: Database, matches: (row: Row) => boolean): Promise<void> {
  const isRemoved = (row: Row) => row.by === 'session' && matches(row);
  for (const row of await db.getAll('waiting')) if (isRemoved(row)) await db.delete('waiting', row.id);
  for (const row of await db.getAll('answers')) if (isRemoved(row)) await db.delete('answers', row.account);
  for (const id of await db.getAllKeys('files')) {
    // One by one, because a file may be large.
    const row = await db.get('files', id);
    if (row !== undefined && isRemoved(row)) await db.delete('files', id);
  }
}

/** Removes everything stored for an account, including its key unless `keepsKey` is true. */
export async function removeAccount(db: Database, account: number, { keepsKey = false } = {}): Promise<void> {
  const trx = db.transaction(['keys', 'waiting', 'files', 'answers'], 'readwrite', DURABLE);
  const [waiting, files] = [trx.objectStore('waiting'), trx.objectStore('files')];
  for (const id of await waiting.index('account').getAllKeys(account)) await waiting.delete(id);
  for (const id of await files.index('account').getAllKeys(account)) await files.delete(id);
  await trx.objectStore('answers').delete(account);
  if (!keepsKey) await trx.objectStore('keys').delete(account);
  await trx.done;
}

function aboutOf(account: number, what: string): string {
  return `${account} ${what}`;
}
