import { createExternalStore } from '../api/external-store.ts';

/**
 * How long notices stay, in milliseconds (specification section 4: dashboard and admin panel 3 s, gallery 4 s, photo
 * sync 10 s).
 */
export const NOTICE_MS = { dashboard: 3_000, gallery: 4_000, photoSync: 10_000 } as const;

export type Toast = Readonly<{
  id: number;
  kind: 'success' | 'failure';
  text: string;
  /** Undefined: the notice stays until it is closed. */
  lasts?: number;
  undo?: () => void;
  /** Another action in the notice, with its button text. */
  offer?: Readonly<{ text: string; accept: () => void }>;
}>;

type Clock = { left: number; since: number; timer: ReturnType<typeof setTimeout> | undefined };

/** How long the keyboard shortcut can still undo an action after its notice has closed. */
const UNDO_MS = 600_000;

const toasts = createExternalStore<readonly Toast[]>([]);
let undoable: { id: number; undo: () => void; until: number } | undefined;
let lastId = 0;
let isPaused = false;
const clocks = new Map<number, Clock>();

/** Shows a notice: a success closes by itself, a failure stays until it is closed. */
export const notify = {
  success(text: string, options: { lasts?: number; undo?: () => void } = {}): number {
    return add({ kind: 'success', text, lasts: NOTICE_MS.dashboard, ...options });
  },
  failure(text: string, offer?: NonNullable<Toast['offer']>): number {
    return add({ kind: 'failure', text, ...(offer === undefined ? {} : { offer }) });
  },
  /** Shows an offer that stays until it is accepted or closed. Returns its id. */
  offer(text: string, offer: NonNullable<Toast['offer']>): number {
    return add({ kind: 'success', text, offer });
  },
  close(id: number): void {
    clearTimeout(clocks.get(id)?.timer);
    clocks.delete(id);
    show(toasts.get().filter((toast) => toast.id !== id));
  },
  /**
   * Sets what the keyboard shortcut undoes next, for an Undo button outside notices. Returns the function for that
   * button.
   */
  offerUndo(undo: () => void): () => void {
    return storeUndo(++lastId, undo);
  },
  /**
   * Undoes the action of the last notice that offered Undo, once, even after the notice has closed: three seconds are
   * too short for keyboard users.
   */
  undoLast(): void {
    const last = undoable;
    undoable = undefined;
    if (last === undefined || last.until < performance.now()) return;
    notify.close(last.id);
    last.undo();
  },
  /** Keeps notices open while the pointer or the focus is on them. */
  pause(): void {
    if (isPaused) return;
    isPaused = true;
    for (const clock of clocks.values()) {
      clearTimeout(clock.timer);
      clock.left -= performance.now() - clock.since;
    }
  },
  resume(): void {
    if (!isPaused) return;
    isPaused = false;
    for (const id of clocks.keys()) run(id);
  },
  closeAll(): void {
    for (const clock of clocks.values()) clearTimeout(clock.timer);
    clocks.clear();
    undoable = undefined;
    show([]);
  },
} as const;

export const useToasts = toasts.useValue;

// A fourth notice replaces the oldest one that closes by itself. Notices that stay are never replaced.
function add(given: Omit<Toast, 'id'>): number {
  const id = ++lastId;
  const toast = given.undo === undefined ? given : { ...given, undo: storeUndo(id, given.undo) };
  const shown = toasts.get();
  const replaced = shown.length >= 3 ? shown.find(({ lasts }) => lasts !== undefined) : undefined;
  if (replaced !== undefined) notify.close(replaced.id);
  show([...toasts.get(), { ...toast, id }]);
  if (toast.lasts !== undefined) {
    clocks.set(id, { left: toast.lasts, since: 0, timer: undefined });
    if (!isPaused) run(id);
  }
  return id;
}

function storeUndo(id: number, undo: () => void): () => void {
  const once = () => {
    if (undoable?.id === id) undoable = undefined;
    undo();
  };
  undoable = { id, undo: once, until: performance.now() + UNDO_MS };
  return once;
}

function run(id: number): void {
  const clock = clocks.get(id);
  if (clock === undefined) return;
  clock.since = performance.now();
  clock.timer = setTimeout(() => notify.close(id), Math.max(clock.left, 0));
}

function show(next: readonly Toast[]): void {
  toasts.set(next);
  // Once the last notice is gone, no pointer can leave it, so nothing else would end the pause.
  if (next.length === 0) isPaused = false;
}
