import { createContext, use, useEffect, useState } from 'react';
import { createExternalStore } from '../api/external-store.ts';
import { leaveWhenSettled } from '../ui/use-back-closes.ts';

/** A part of the screen that closes as a whole, such as a dialog. Closing it would lose its unsaved input. */
export type Area = Readonly<{ forms: Set<object>; around: Area | undefined }>;

/** The open question whether to discard the unsaved input of an area. */
export type Question = Readonly<{ area: Area; leave: () => void }>;

const PAGE: Area = { forms: new Set(), around: undefined };
const Around = createContext(PAGE);
const question = createExternalStore<Question | undefined>(undefined);

/** Creates a new area inside the current one; render the `Area` provider around its content. */
export function useArea() {
  const around = use(Around);
  const [area] = useState<Area>(() => ({ forms: new Set(), around }));
  return {
    Area: Around,
    area,
    /** Leaves the area, but asks first if it has unsaved input or `isAsked` is true. */
    leave: (go: () => void, isAsked = false) =>
      isAsked ? question.set({ area, leave: go }) : leaveArea(area, go),
  } as const;
}

/** Leaves the surrounding area, but asks first if it has unsaved input. */
export function useLeaveArea(): (go: () => void) => void {
  const area = use(Around);
  return (go) => leaveArea(area, go);
}

/** Leaves the whole page, but asks first if there is unsaved input, including that of closed dialogs. */
export function leavePage(go: () => void): void {
  leaveArea(PAGE, go);
}

/** Whether anything on the page would be lost by leaving it. */
export function hasUnsaved(): boolean {
  return countUnsaved() > 0;
}

/** Returns the number of forms that leaving the page would lose. */
export function countUnsaved(): number {
  return PAGE.forms.size;
}

/** Reloads the page without the browser's own question. The user has answered ours, or nothing would be lost. */
export function reloadPage(): void {
  void leaveWhenSettled(() => {
    removeEventListener('beforeunload', stay);
    location.reload();
  });
}

/**
 * While `isUnsaved`, leaving asks first, and so does reloading or closing the page. With `isKept` the input survives
 * its area, so only leaving the page loses it.
 */
export function useUnsaved(isUnsaved: boolean, { isKept = false } = {}): void {
  const around = use(Around);
  const innermost = isKept ? PAGE : around;
  useEffect(() => (isUnsaved ? begin(innermost) : undefined), [isUnsaved, innermost]);
}

/** The question to answer before leaving, if any. */
export const useQuestion = question.useValue;

/** Answers the question: discards the input and leaves, or stays. */
export function answer(isDiscarded: boolean): void {
  const answered = question.get();
  question.set(undefined);
  if (isDiscarded) answered?.leave();
}

function leaveArea(area: Area, leave: () => void): void {
  if (area.forms.size === 0) leave();
  else question.set({ area, leave });
}

function begin(innermost: Area): () => void {
  const form = {};
  if (PAGE.forms.size === 0) addEventListener('beforeunload', stay);
  for (let area: Area | undefined = innermost; area !== undefined; area = area.around) area.forms.add(form);
  return () => {
    for (let area: Area | undefined = innermost; area !== undefined; area = area.around)
      area.forms.delete(form);
    // Browsers do not keep a page in the back/forward cache while it has this listener.
    if (PAGE.forms.size === 0) removeEventListener('beforeunload', stay);
    // The input was saved meanwhile or its screen is gone, so there is nothing left to ask.
    if (question.get()?.area.forms.size === 0) question.set(undefined);
  };
}

function stay(event: BeforeUnloadEvent): void {
  event.preventDefault();
}
