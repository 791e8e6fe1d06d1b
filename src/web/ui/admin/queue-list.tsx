import { Children, isValidElement, type ReactNode } from 'react';
import { VirtualList } from '../virtual-list.tsx';

/** Estimated height of an item. */
const ITEM_PX = 76;

/** A queue of items to decide one by one, each with its details and actions. */
export function QueueList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className="divide-y divide-line rounded-card border border-line bg-card">
      <VirtualList
        as="li"
        items={Children.toArray(children)}
        keyOf={(item, at) => (isValidElement(item) && item.key) || at}
        heightOf={() => ITEM_PX}
      >
        {(item) => item}
      </VirtualList>
    </ul>
  );
}

/** An item of a queue. Its parts are next to each other, or stacked on phones and if `isTall`. */
export function QueueItem({ isTall = false, children }: { isTall?: boolean; children: ReactNode }) {
  return (
    <div
      className={`flex flex-col gap-x-6 px-4 py-3 sm:px-5 ${isTall ? 'gap-y-3' : 'gap-y-2 sm:flex-row sm:items-center'}`}
    >
      {children}
    </div>
  );
}

type QueueRowProps = {
  title: ReactNode;
  /** Short details in a row. */
  facts: readonly ReactNode[];
  /** A comment by a user. */
  quote?: string | null | undefined;
  /** The buttons; on phones they are below the details. */
  children?: ReactNode;
};

export function QueueRow({ title, facts, quote, children }: QueueRowProps) {
  return (
    <QueueItem>
      <div className="flex min-w-0 grow flex-col gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2.5 font-medium wrap-anywhere">{title}</div>
        <p className="flex flex-wrap gap-x-4 text-dense text-soft">
          {facts.map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no other key than their index
            <span key={at} className="min-w-0 wrap-anywhere">
              {fact}
            </span>
          ))}
        </p>
        {quote && (
          <p className="mt-1 border-l-2 border-line pl-3 wrap-anywhere whitespace-pre-line">{quote}</p>
        )}
      </div>
      {children !== undefined && <div className="flex shrink-0 flex-wrap gap-2">{children}</div>}
    </QueueItem>
  );
}
