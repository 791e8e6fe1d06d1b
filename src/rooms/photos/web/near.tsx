import { type ReactNode, useEffect, useRef, useState } from 'react';

type NearProps = {
  /** The estimated height; corrected once the content has been measured. */
  height: number;
  /** Rendered from the start and never removed. */
  stays: boolean;
  children: ReactNode;
};

// More than one screen ahead, so that fast scrolling shows no gaps.
const MARGIN = '1200px 0px';

/**
 * A part of a long page that is rendered only while it is near the viewport. Otherwise an empty box of the same height
 * keeps its place, so that nothing moves. A part that contains the focus stays rendered.
 */
export function Near({ height, stays, children }: NearProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isNear, setIsNear] = useState(typeof IntersectionObserver === 'undefined');
  const [difference, setDifference] = useState(0);
  const expected = useRef(height);
  useEffect(() => {
    expected.current = height;
  });
  useEffect(() => {
    if (box.current === null || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(
      (seen) => {
        const latest = seen.at(-1);
        if (latest === undefined) return;
        const { isIntersecting, target, boundingClientRect } = latest;
        const isLeft = !isIntersecting && !target.contains(document.activeElement);
        if (isLeft && target.childElementCount > 0) {
          setDifference(boundingClientRect.height - expected.current);
        }
        setIsNear(!isLeft);
      },
      { rootMargin: MARGIN },
    );
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const isThere = isNear || stays;
  return (
    <div ref={box} style={isThere ? undefined : { height: height + difference }}>
      {isThere && children}
    </div>
  );
}
