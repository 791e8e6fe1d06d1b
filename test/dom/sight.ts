import { act } from '@testing-library/react';
import { vi } from 'vitest';

// For all tests of a file: parts of a page share the observers that the first of them made.
const watched = new Map<Element, IntersectionObserverCallback>();

/** Lets `look` say what is near the viewport, which no browser tells here. Undone by `vi.unstubAllGlobals`. */
export function stubSight(): void {
  watched.clear();
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      readonly #seen: IntersectionObserverCallback;
      constructor(seen: IntersectionObserverCallback) {
        this.#seen = seen;
      }
      observe(element: Element) {
        watched.set(element, this.#seen);
      }
      unobserve(element: Element) {
        watched.delete(element);
      }
    },
  );
}

/** All elements of which the page wants to know whether they are near. */
export const inSight = (): Element[] => [...watched.keys()];

/** Says of those elements that are watched whether they are near, and how high they are, in pixels. */
export function look(elements: readonly Element[], isIntersecting: boolean, height = 120): void {
  act(() => {
    for (const target of elements) {
      const entry = { isIntersecting, target, boundingClientRect: { height } };
      watched.get(target)?.([entry as IntersectionObserverEntry], {} as IntersectionObserver);
    }
  });
}
