import { createContext, use, useEffect, useState, useSyncExternalStore } from 'react';

/** A part of the screen that goes as one, such as a window: what is begun in it would go with it. */
export type Area = Readonly<{ forms: Set<object>; around: Area | undefined }>;

/** What a person has been asked: whether what is begun in an area may go. */
export type Question = Readonly<{ area: Area; leave: () => void }>;

const PAGE: Area = { forms: new Set(), around: undefined };
const Around = createContext(PAGE);
const listeners = new Set<() => void>();
let question: Question | undefined;

/** Makes a new area inside the current one; its element goes around what belongs to it. */
export function useArea() {
  const around = use(Around);
  const [area] = useState<Area>(() => ({ forms: new Set(), around }));
  return {
    Area: Around,
    area,
    /** Asks first while something in it is begun, or when `isAsked`. */
    leave: (go: () => void, isAsked = false) => (isAsked ? ask({ area, leave: go }) : leaveArea(area, go)),
  } as const;
}

/** How to leave the area around: asks first while something in it is begun and not saved. */
export function useLeave(): (go: () => void) => void {
  const area = use(Around);
  return (go) => leaveArea(area, go);
}

/** The same for the whole page, with what windows keep while they are closed. */
export function leavePage(go: () => void): void {
  leaveArea(PAGE, go);
}

/**
 * Has everything that leads away ask first while `isUnsaved`, reloading and closing the page too. `isKept`: it outlives
 * its area, so only leaving the page takes it away.
 */
export function useUnsaved(isUnsaved: boolean, { isKept = false } = {}): void {
  const around = use(Around);
  const innermost = isKept ? PAGE : around;
  useEffect(() => (isUnsaved ? begin(innermost) : undefined), [isUnsaved, innermost]);
}

/** What is to be answered before anything is left. */
export function useQuestion(): Question | undefined {
  return useSyncExternalStore(subscribe, () => question);
}

/** Keeps what was begun, or lets it go and leaves. */
export function answer(isDiscarded: boolean): void {
  const asked = question;
  ask(undefined);
  if (isDiscarded) asked?.leave();
}

function leaveArea(area: Area, leave: () => void): void {
  if (area.forms.size === 0) leave();
  else ask({ area, leave });
}

function begin(innermost: Area): () => void {
  const form = {};
  if (PAGE.forms.size === 0) addEventListener('beforeunload', stay);
  for (let area: Area | undefined = innermost; area !== undefined; area = area.around) area.forms.add(form);
  return () => {
    for (let area: Area | undefined = innermost; area !== undefined; area = area.around)
      area.forms.delete(form);
    // A browser keeps no page for Back that listens for this.
    if (PAGE.forms.size === 0) removeEventListener('beforeunload', stay);
    // Saved meanwhile, or gone with its screen: nothing is left to ask about.
    if (question?.area.forms.size === 0) ask(undefined);
  };
}

function stay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

function ask(next: Question | undefined): void {
  question = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
