import { readStored, writeStored } from '../api/browser-storage.ts';
import { createExternalStore } from '../api/external-store.ts';

/** Why the server rejected a pending change: its message, or a question for the user. */
export type Rejection = Readonly<{ said: string; isQuestion: boolean }>;

/** Thrown if the user must confirm a change before it is sent. The message is the question. */
export class ConfirmationNeeded extends Error {}

/** A change stored in this browser until it can be sent. */
export type PendingChange<What = unknown> = Readonly<{
  id: string;
  kind: 'entry' | 'photo';
  /** Changes are sent in the order in which they were made. */
  order: number;
  /** The Idempotency-Key, created when it was first sent or stored. */
  key: string;
  /** Whether the server may already have it, because its response was lost. */
  isTried: boolean;
  /** Whether it was edited since it was first stored. */
  isEdited: boolean;
  refusal: Rejection | undefined;
  what: What;
  /** The size of its file in bytes. */
  bytes: number;
}>;

export type NewPendingChange<What = unknown> = Pick<
  PendingChange<What>,
  'kind' | 'key' | 'isTried' | 'what'
> & {
  file?: Blob;
};

/** 'full': there is no room for it; 'unavailable': this browser stores nothing. */
export type StoreResult = 'queued' | 'full' | 'unavailable';

/** Stores pending changes of the signed-in user. Loaded after the first screens. */
export type PendingStore = Readonly<{
  /** Whether the connection is lost, so a request sent now would get no response. */
  hasNoConnection: () => boolean;
  keep: (thing: NewPendingChange) => Promise<StoreResult>;
}>;

const FLAG = 'keptWaiting';

/** Whether this device has pending changes of any account, for the sign-in page. */
export function hasPendingChanges(): boolean {
  return readStored(FLAG) !== null;
}

export function setHasPendingChanges(hasAny: boolean): void {
  writeStored(FLAG, hasAny ? '1' : null);
}

type State = Readonly<{ waiting: readonly PendingChange[]; sendingId: string | undefined }>;

const state = createExternalStore<State>({ waiting: [], sendingId: undefined });
let pendingStore: PendingStore | undefined;

/** Returns the signed-in user's pending store; undefined until it is loaded. */
export function currentPendingStore(): PendingStore | undefined {
  return pendingStore;
}

export function setPendingStore(next: PendingStore | undefined): void {
  pendingStore = next;
}

/** Updates the pending changes on screen. */
export function setPendingChanges(next: Partial<State>): void {
  state.set({ ...state.get(), ...next });
}

/** Returns the pending changes in order, and the id of the one being sent. */
export const usePendingChanges = state.useValue;

export const currentPendingChanges = state.get;
