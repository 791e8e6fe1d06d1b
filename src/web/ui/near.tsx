import { type ReactNode, type RefCallback, useCallback, useLayoutEffect, useRef, useState } from 'react';

/** How far ahead of the viewport rows are drawn, in pixels: they are drawn at once; what takes longer needs more. */
export const AHEAD_PX = 600;

type NearProps = {
  /** The element that holds it: a part of a table is a `tbody`. */
  as?: 'div' | 'li' | 'tbody';
  className?: string | undefined;
  /** The `id` of what names it, while it is there. */
  labelledBy?: string | undefined;
  /** The estimated height; corrected once the content has been measured. */
  height: number;
  /** The height that it was found to have when it was rendered before. */
  measured?: number | undefined;
  /** How far ahead of the viewport it is rendered, in pixels. */
  ahead: number;
  /** Rendered from the start and never removed. */
  stays?: boolean;
  /** Rendered from the start, and removed like any other. */
  starts?: boolean;
  /** Told how high it is, and whether it is near, whenever it comes or goes. */
  onChange?: (isNear: boolean, height: number) => void;
  children: () => ReactNode;
};

/**
 * A part of a long page that is rendered only while it is near the viewport. Otherwise an empty box of the same height
 * keeps its place, so that nothing moves. A part that contains the focus stays rendered.
 */
export function Near(props: NearProps) {
  const { as: Tag = 'div', className, labelledBy, height, measured = height, ahead } = props;
  const { stays = false, starts = false, onChange, children } = props;
  const [isNear, setIsNear] = useState(starts || !canSee());
  const [difference, setDifference] = useState(measured - height);
  const latest = useRef({ height, onChange });
  useLayoutEffect(() => {
    latest.current = { height, onChange };
  });
  const box = useSight(
    useCallback(({ isIntersecting, target, boundingClientRect }) => {
      const isLeft = !isIntersecting && !target.contains(document.activeElement);
      const { height: expected, onChange: tell } = latest.current;
      if (isLeft && target.childElementCount > 0) setDifference(boundingClientRect.height - expected);
      setIsNear(!isLeft);
      tell?.(!isLeft, boundingClientRect.height);
    }, []),
    ahead,
  );
  const isThere = isNear || stays;
  return (
    <Tag
      ref={box}
      className={className}
      aria-labelledby={isThere ? labelledBy : undefined}
      style={isThere ? undefined : spaceOf(height + difference)}
    >
      {isThere && children()}
    </Tag>
  );
}

/** An empty part of a table is no row group: one without rows would have no height. */
export const spaceOf = (height: number) => ({ display: 'block', height });

/** Whether anything can be told to be near; where not, everything is rendered. */
export const canSee = () => typeof IntersectionObserver !== 'undefined';

type Look = (seen: IntersectionObserverEntry) => void;

/** For the `ref` of an element: `look` is told when it comes near, `ahead` pixels from the viewport, or goes. */
export function useSight(look: Look, ahead: number): RefCallback<HTMLElement> {
  return useCallback(
    (element) => {
      if (element === null || !canSee()) return;
      looks.set(element, look);
      const watching =
        observers.get(ahead) ?? new IntersectionObserver(see, { rootMargin: `${ahead}px 0px` });
      observers.set(ahead, watching);
      watching.observe(element);
      return () => watching.unobserve(element);
    },
    [look, ahead],
  );
}

// One for all of a list: the browser then tells of them in one go, and they are drawn together.
const observers = new Map<number, IntersectionObserver>();
const looks = new WeakMap<Element, Look>();

function see(seen: readonly IntersectionObserverEntry[]): void {
  for (const one of seen) looks.get(one.target)?.(one);
}
