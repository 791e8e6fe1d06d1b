import { defaultRangeExtractor, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { usePrinting } from './use-media.ts';

/** Lists up to this length are rendered whole, so the browser's search finds everything. */
export const PLAIN_ROWS = 200;
/** Items rendered before and after those in the window. */
const OVERSCAN = 4;

type VirtualListProps<Item> = {
  /** The element of each item: in a table a `tbody`. */
  as?: 'div' | 'li' | 'tbody';
  className?: string | undefined;
  items: readonly Item[];
  /** The number of rows in all items, if an item has more than one. It decides whether the list is virtualized. */
  rows?: number;
  /** The key of an item; the default is its index. */
  keyOf?: (item: Item, at: number) => string | number;
  /** The `id` of the element that labels an item. */
  labelOf?: (item: Item) => string;
  /** Estimated height of an item until it is measured. */
  heightOf: (item: Item) => number;
  /** The gap between items, which the surrounding list sets. */
  gap?: number;
  /** Whether an item stays mounted, such as one that took the focus when it appeared. */
  stays?: (item: Item) => boolean;
  /** Renders everything, for containers that scroll by themselves or for printing. */
  isWhole?: boolean;
  /** False if something else is printed in its place. */
  isOnPaper?: boolean;
  children: (item: Item, at: number) => ReactNode;
};

/** The items of a list. Long lists are virtualized: only items in and near the window are rendered. */
export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { as: Tag = 'div', className, items, rows = items.length, isWhole = false, isOnPaper = true } = props;
  const { keyOf = byPlace, labelOf, heightOf, gap = 0, stays, children } = props;
  const isPrinting = usePrinting();
  const isPlain = isWhole || rows <= PLAIN_ROWS || (isPrinting && isOnPaper);
  const focused = useRef<{ index: number; key: string | number }>(undefined);
  const { anchor, top } = useTop(!isPlain);
  // The library measures all items again if this function changes.
  const keyAt = useCallback(
    (at: number) => {
      const item = items[at];
      return item === undefined ? at : keyOf(item, at);
    },
    [items, keyOf],
  );
  const pinned = useMemo(
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
      [...new Set([...defaultRangeExtractor(range), ...pinned, ...inFocus()])].sort((a, b) => a - b),
    scrollMargin: top,
    useFlushSync: false,
    // The size until the library has measured the window. Without it a growing list would lose its rows, and the focus,
    // for a moment.
    initialRect: { width: innerWidth, height: innerHeight },
    initialOffset: () => scrollY,
  });

  const shown = isPlain ? items.map((_, index) => ({ index, start: 0, end: 0 })) : virtual.getVirtualItems();
  const parts: ReactNode[] = [];
  const addSpace = (key: string, height: number) => {
    if (height <= 0) return;
    const isFirst = parts.length === 0;
    parts.push(
      // In a table, an element without rows has a height only as a block.
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

/** Splits items into parts of `size`; the last may be shorter. */
export function splitForRendering<Item>(items: readonly Item[], size: number): Item[][] {
  const count = Math.ceil(items.length / size);
  return Array.from({ length: count }, (_, at) => items.slice(at * size, (at + 1) * size));
}

/** The distance of the list's first element from the top of the page, which changes with the content above it. */
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
