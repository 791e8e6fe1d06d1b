import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { usePrinting } from '../lib/use-printing.ts';
import { AHEAD_PX, canSee, Near, spaceOf, useSight } from './near.tsx';

/** So many parts that are all far away are one empty box: a list of 100,000 rows in parts of 5 is 200 of them. */
const GROUP = 100;

type NearListProps<Part> = {
  /** The element of each part: in a table a `tbody`. */
  as?: 'div' | 'li' | 'tbody';
  className?: string | undefined;
  /** What is rendered and removed together. */
  parts: readonly Part[];
  /** What a part is known by, unless by its place. */
  keyOf?: (part: Part, at: number) => string;
  /** The `id` of what names a part. */
  labelOf?: (part: Part) => string;
  /** How many of them are drawn with the list; the others once the browser has said that they are near. */
  first: number;
  /** The height that a part is expected to have. */
  heightOf: (part: Part) => number;
  /** How far ahead of the viewport parts are drawn, in pixels: fast scrolling should show no gaps. */
  ahead?: number;
  /** What is between two parts. */
  gap?: number;
  /** A part that is never removed. */
  stays?: (part: Part) => boolean;
  /** All are drawn, wherever they are. */
  isWhole?: boolean;
  /** Called when a part is about to be removed. */
  onRemove?: (() => void) | undefined;
  children: (part: Part, at: number) => ReactNode;
};

/** A list of which only the parts near the viewport are on the page (`Near`), however many there are. */
export function NearList<Part>({ parts, ...props }: NearListProps<Part>) {
  const groups = useMemo(() => inParts(parts, GROUP), [parts]);
  return groups.map((own, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a part is known by its place
    <Group key={at} parts={own} from={at * GROUP} {...props} />
  ));
}

/** The rows in parts of `size`, of which the last may be shorter. */
export function inParts<Row>(rows: readonly Row[], size: number): Row[][] {
  const count = Math.ceil(rows.length / size);
  return Array.from({ length: count }, (_, at) => rows.slice(at * size, (at + 1) * size));
}

function Group<Part>({ parts, from, ...props }: NearListProps<Part> & { from: number }) {
  const { as: Tag = 'div', className, first, heightOf, ahead = AHEAD_PX, gap = 0, isWhole = false } = props;
  const { keyOf = (_, at) => String(at), labelOf, onRemove, children } = props;
  const stays = (part: Part) => isWhole || props.stays?.(part) === true;
  const [isOpen, setIsOpen] = useState(from < first || !canSee());
  const heights = useRef(new Map<string, number>());
  const near = useRef(new Set<string>());
  const box = useSight(
    useCallback(({ isIntersecting }) => isIntersecting && setIsOpen(true), []),
    ahead,
  );
  if (!isOpen && !parts.some(stays)) {
    const known = (part: Part, at: number) => heights.current.get(keyOf(part, at)) ?? heightOf(part);
    const height = parts.reduce((sum, part, at) => sum + known(part, at), 0);
    return <Tag ref={box} className={className} style={spaceOf(height + gap * (parts.length - 1))} />;
  }

  function change(key: string, isNear: boolean, height: number) {
    heights.current.set(key, height);
    if (isNear) {
      near.current.add(key);
      return;
    }
    if (!near.current.delete(key)) return;
    onRemove?.();
    if (near.current.size === 0) setIsOpen(false);
  }
  return parts.map((part, at) => {
    const key = keyOf(part, at);
    return (
      <Near
        key={key}
        as={Tag}
        className={className}
        labelledBy={labelOf?.(part)}
        height={heightOf(part)}
        measured={heights.current.get(key)}
        ahead={ahead}
        stays={stays(part)}
        starts={from + at < first}
        onChange={(isNear, height) => change(key, isNear, height)}
      >
        {() => children(part, from + at)}
      </Near>
    );
  });
}

/** No more rows than this are all drawn for the browser's own search. */
const MOST_SOUGHT = 500;

/**
 * Whether a list of so many rows is to be drawn whole (`isWhole`): on paper, unless something else is printed in its place,
 * and once the browser's own search was opened by its keys, which finds only what is on the page.
 */
export function useWhole(rows: number, { isOnPaper = true }: { isOnPaper?: boolean } = {}): boolean {
  const isPrinting = usePrinting();
  const isSought = useSought();
  return (isPrinting && isOnPaper) || (isSought && rows <= MOST_SOUGHT);
}

function useSought(): boolean {
  const [isSought, setIsSought] = useState(false);
  useEffect(() => {
    const look = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
      if (key === 'F3' || ((ctrlKey || metaKey) && key.toLowerCase() === 'f')) setIsSought(true);
    };
    addEventListener('keydown', look);
    return () => removeEventListener('keydown', look);
  }, []);
  return isSought;
}
