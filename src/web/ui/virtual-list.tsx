import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { usePrinting } from './use-media.ts';

/** A list of no more rows than this is rendered whole, so that the browser's search finds all of it. */
export const PLAIN_ROWS = 200;
/** Items that are rendered before and after those in the window. */
const OVERSCAN = 4;

type VirtualListProps<Item> = {
  /** The element of each item: in a table a `tbody`. */
  as?: 'div' | 'li' | 'tbody';
  className?: string | undefined;
  items: readonly Item[];
  /** How many rows the items hold, where an item is more than one. */
  rows?: number;
  /** What an item is known by, unless by its place. */
  keyOf?: (item: Item, at: number) => string | number;
  /** The `id` of what names an item. */
  labelOf?: (item: Item) => string;
  /** The height that an item is expected to have, until it has been measured. */
  heightOf: (item: Item) => number;
  /** The gap between two items, which the list around them sets. */
  gap?: number;
  /** An item that is never removed, such as one that took the focus when it came. */
  stays?: (item: Item) => boolean;
  /** Renders everything: in what scrolls by itself, or on paper. */
  isWhole?: boolean;
  /** Not where something else is printed in its place. */
  isOnPaper?: boolean;
  children: (item: Item, at: number) => ReactNode;
};

/** The items of a list in the page; of a long list only those in the window and around it, with space for the others. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { as: Tag = 'div', className, items, rows = items.length, isWhole = false, isOnPaper = true } = props;
  const { keyOf = byPlace, labelOf, heightOf, gap = 0, stays, children } = props;
  const isPrinting = usePrinting();
  const isPlain = isWhole || rows <= PLAIN_ROWS || (isPrinting && isOnPaper);
  const focused = useRef<{ index: number; key: string | number }>(undefined);
  const { anchor, top } = useTop(!isPlain);
  // The library measures all items again when this changes.
  const keyAt = useCallback(
    (at: number) => {
      const item = items[at];
      return item === undefined ? at : keyOf(item, at);
    },
    [items, keyOf],
  );
  const kept = useMemo(
    () => (isPlain ? [] : items.flatMap((item, at) => (stays?.(item) === true ? [at] : []))),
    [isPlain, items, stays],
  );
  const inFocus = () => {
    const { index, key } = focused.current ?? { index: -1, key: '' };
    return index >= 0 && keyAt(index) === key ? [index] : [];
  };
  const virtual = useWindowVirtualizer<HTMLElement>({
    count: items.length,
    enabled: !isPlain,
    estimateSize: (at) => {
      const item = items[at];
      return item === undefined ? 0 : heightOf(item);
    },
    getItemKey: keyAt,
    gap,
    overscan: OVERSCAN,
    rangeExtractor: (range) =>
      [...new Set([...defaultRangeExtractor(range), ...kept, ...inFocus()])].sort((a, b) => a - b),
    scrollMargin: top,
    useFlushSync: false,
    // Until it has looked at the window: a list that becomes long must not lose its rows, and the focus, for a moment.
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
  });

  const shown = isPlain ? items.map((_, index) => ({ index, start: 0, end: 0 })) : virtual.getVirtualItems();
  const parts: ReactNode[] = [];
  const addSpace = (key: string, height: number) => {
    if (height <= 0) return;
    const isFirst = parts.length === 0;
    parts.push(
      // In a table an element without rows has a height only as a block.
      <Tag key={key} ref={isFirst ? anchor : undefined} aria-hidden style={{ display: 'block', height }} />,
    );
  };
  let end = top - gap;
  for (const { index, start, end: itsEnd } of shown) {
    const item = items[index];
    if (item === undefined) continue;
    if (!isPlain) addSpace(`before ${index}`, start - end - 2 * gap);
    end = itsEnd;
    const isFirst = parts.length === 0;
    parts.push(
      <Tag
        key={keyAt(index)}
        ref={(element: HTMLElement | null) => {
          if (isPlain) return;
          virtual.measureElement(element);
          if (isFirst) anchor(element);
        }}
        data-index={index}
        className={className}
        aria-labelledby={labelOf?.(item)}
        {...(!isPlain && Tag === 'li' ? { 'aria-setsize': items.length, 'aria-posinset': index + 1 } : {})}
        onFocus={() => {
          focused.current = { index, key: keyAt(index) };
        }}
      >
        {children(item, index)}
      </Tag>,
    );
  }
  if (!isPlain) addSpace('after', top + virtual.getTotalSize() - end - gap);
  return parts;
}

const byPlace = (_: unknown, at: number) => at;

/** The items in parts of `size`, of which the last may be shorter. */
export function splitForRendering<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** How far the first element of a list is from the top of the page, which changes with what stands above it. */
function useTop(isWanted: boolean) {
  const [top, setTop] = useState(0);
  const element = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isWanted || typeof ResizeObserver === 'undefined') return;
    const look = () => {
      if (element.current !== null) setTop(element.current.getBoundingClientRect().top + scrollY);
    };
    const observer = new ResizeObserver(look);
    observer.observe(document.body);
    look();
    return () => observer.disconnect();
  }, [isWanted]);
  return {
    top,
    anchor: (first: HTMLElement | null) => {
      if (first !== null) element.current = first;
    },
  };
}
