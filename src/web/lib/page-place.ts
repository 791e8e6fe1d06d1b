import { useEffect, useEffectEvent, useRef } from 'react';

/** A place on the page that takes the focus from elsewhere. What draws it passes `ref` to the element. */
export type PagePlace = Readonly<{
  ref: (element: HTMLElement | null) => (() => void) | undefined;
  /** Gives it the focus, and says whether it is on the page. */
  focus: () => boolean;
  /** Presses it, if it is on the page. */
  press: () => void;
}>;

/** Made once for a place, such as the title of a list, which takes the focus when the row that had it is gone. */
export function pagePlace(): PagePlace {
  // The same place may be drawn twice; the first of them is the one that is meant.
  const shown = new Set<HTMLElement>();
  const first = () => shown.values().next().value;
  return {
    ref(element) {
      if (element === null) return undefined;
      shown.add(element);
      return () => {
        shown.delete(element);
      };
    },
    focus() {
      first()?.focus();
      return shown.size > 0;
    },
    press: () => first()?.click(),
  };
}

/** Several places of a kind, such as the rows of a list, each by its key. */
export function pagePlaces<Key>() {
  const places = new Map<Key, PagePlace>();
  return (key: Key): PagePlace => {
    const known = places.get(key) ?? pagePlace();
    places.set(key, known);
    return known;
  };
}

/** As a `ref`: takes the focus as soon as it is there. The page stays where it is. */
export function takeFocus(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

/**
 * The same for what comes while a dialog closes, such as Undo in the place of a deleted row: it takes the focus when the
 * dialog has let go of it. `isWanted` is asked then.
 */
export function useFocusOnArrival<E extends HTMLElement>(isWanted: () => boolean = () => true) {
  const ref = useRef<E>(null);
  const focus = useEffectEvent(() => {
    if (isWanted()) takeFocus(ref.current);
  });
  useEffect(() => focus(), []);
  return ref;
}
