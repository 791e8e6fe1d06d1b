import { useEffect, useEffectEvent, useRef } from 'react';

/**
 * An element that other components can move the focus to. The component that renders it passes `ref` to the element.
 */
export type FocusTarget = Readonly<{
  ref: (element: HTMLElement | null) => (() => void) | undefined;
  /** Focuses the element; returns whether it is on the page. */
  focus: () => boolean;
  /** Focuses the element now, or when it mounts unless something else has the focus by then. */
  focusSoon: () => void;
  /** Clicks the element, if it is on the page. */
  press: () => void;
}>;

/**
 * Creates a focus target. Call it once per element, such as a list's title, which takes the focus when the focused row is gone.
 */
export function createFocusTarget(): FocusTarget {
  // The element may be rendered twice; the first one counts.
  const shown = new Set<HTMLElement>();
  const first = () => shown.values().next().value;
  let isWanted = false;
  return {
    ref(element) {
      if (element === null) return undefined;
      shown.add(element);
      if (isWanted && document.activeElement === document.body) element.focus();
      isWanted = false;
      return () => {
        shown.delete(element);
      };
    },
    focus() {
      first()?.focus();
      return shown.size > 0;
    },
    focusSoon() {
      isWanted = shown.size === 0;
      first()?.focus();
    },
    press: () => first()?.click(),
  };
}

/** Focus targets of one kind, such as the rows of a list, by key. */
export function createFocusTargets<Key>() {
  const targets = new Map<Key, FocusTarget>();
  return (key: Key): FocusTarget => {
    const target = targets.get(key) ?? createFocusTarget();
    targets.set(key, target);
    return target;
  };
}

/** For use as a `ref`: focuses the element as soon as it mounts, without scrolling. */
export function focusOnMount(element: HTMLElement | null): void {
  element?.focus({ preventScroll: true });
}

/**
 * For use as a `ref`: focuses a heading as soon as it appears and scrolls to it, so that screen readers announce it. A
 * function declared inline as the `ref` would run on every render and take the focus back.
 */
export function focusHeading(heading: HTMLElement | null): void {
  heading?.focus();
}

/**
 * For elements that appear while a dialog closes, such as Undo for a deleted row: takes the focus once the dialog has
 * released it. `isWanted` is checked at that moment.
 */
export function useFocusOnArrival<E extends HTMLElement>(isWanted: () => boolean = () => true) {
  const ref = useRef<E>(null);
  const focus = useEffectEvent(() => {
    if (isWanted()) focusOnMount(ref.current);
  });
  useEffect(() => focus(), []);
  return ref;
}

/**
 * For the `ref` of a form that has just opened: focuses its first field, so the user can type right away. Not on
 * phones, where the on-screen keyboard would cover the form, and not past a button or link before the field.
 */
export function focusFirstField(content: HTMLElement | null): void {
  if (content === null || !matchMedia('(pointer: fine)').matches) return;
  // A number field starts with a button, which is not where a user wants to start.
  const first = content.querySelector<HTMLElement>(
    'input, textarea, select, button:not(:has(+ input)), a[href]',
  );
  if (first?.matches('input, textarea, select')) first.focus();
}
