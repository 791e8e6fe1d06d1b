import { useSyncExternalStore } from 'react';
import { readStored, writeStored } from '../api/browser-storage.ts';

/** Why something that waits was not taken: the server's sentence, or a question. */
export type Refusal = Readonly<{ said: string; isQuestion: boolean }>;

/** Something is to be asked before it is sent; the message says what. */
export class MustAsk extends Error {}

/** Something that waits in this browser until it can be sent. */
export type Waiting<What = unknown> = Readonly<{
  id: string;
  kind: 'entry' | 'photo';
  /** Things are sent in the order in which they were logged. */
  order: number;
  /** The Idempotency-Key, made when it was first sent or kept. */
  key: string;
  /** The server may have it already: its answer was lost. */
  isTried: boolean;
  /** Changed since it was first kept. */
  isEdited: boolean;
  refusal: Refusal | undefined;
  what: What;
  /** The size of its file. */
  bytes: number;
}>;

export type NewPendingChange<What = unknown> = Pick<Waiting<What>, 'kind' | 'key' | 'isTried' | 'what'> & {
  file?: Blob;
};

/** 'full': there is no room for it; 'refused': this browser keeps nothing. */
export type Kept = 'kept' | 'full' | 'refused';

/** Keeps things on this device for the person who is signed in. Loaded after the first screens. */
export type PendingStore = Readonly<{
  /** There is no signal: whatever is sent now gets no answer. */
  isWithoutSignal: () => boolean;
  keep: (thing: NewPendingChange) => Promise<Kept>;
}>;

const FLAG = 'keptWaiting';

/** Whether anything waits on this device, whoever's it is; the sign-in page says so. */
export function hasPendingChanges(): boolean {
  return readStored(FLAG) !== null;
}

export function setHasPendingChanges(hasAny: boolean): void {
  writeStored(FLAG, hasAny ? '1' : null);
}

type State = Readonly<{ waiting: readonly Waiting[]; sendingId: string | undefined }>;

const listeners = new Set<() => void>();
let state: State = { waiting: [], sendingId: undefined };
let keeper: PendingStore | undefined;

/** The keeper of the person who is signed in; undefined until it is loaded. */
export function currentPendingStore(): PendingStore | undefined {
  return keeper;
}

export function setPendingStore(next: PendingStore | undefined): void {
  keeper = next;
}

/** Shows what waits. */
export function showWaiting(next: Partial<State>): void {
  state = { ...state, ...next };
  for (const listener of listeners) listener();
}

/** What waits to be sent, in its order, and which of it is on its way. */
export function useWaiting(): State {
  return useSyncExternalStore(subscribe, currentPendingChanges);
}

export function currentPendingChanges(): State {
  return state;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
