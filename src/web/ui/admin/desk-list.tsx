import { Children, createContext, type ReactNode, use } from 'react';
import { AHEAD_PX, Near } from '../near.tsx';
import { useWhole } from '../near-list.tsx';

/** What an item is thought to be high before it was drawn. */
const ITEM_PX = 76;
/** So many items are drawn wherever they are. */
const SHORT = 20;

/** Whether the list is to be drawn whole. */
const Whole = createContext(false);

/** A list of items to handle one by one, each with its details and actions. Of a long one only those near the viewport are on the page. */
export function DeskList({ label, children }: { label: string; children: ReactNode }) {
  const count = Children.count(children);
  const isWhole = useWhole(count);
  return (
    <Whole value={isWhole || count <= SHORT}>
      <ul aria-label={label} className="divide-y divide-line rounded-card border border-line bg-card">
        {children}
      </ul>
    </Whole>
  );
}

/** An item of a `DeskList`: its parts are side by side, but below each other on a phone, and everywhere when `isTall`. */
export function DeskItem({ isTall = false, children }: { isTall?: boolean; children: ReactNode }) {
  return (
    <Near as="li" height={ITEM_PX} ahead={AHEAD_PX} starts stays={use(Whole)}>
      {() => (
        <div
          className={`flex flex-col gap-x-6 px-4 py-3 sm:px-5 ${isTall ? 'gap-y-3' : 'gap-y-2 sm:flex-row sm:items-center'}`}
        >
          {children}
        </div>
      )}
    </Near>
  );
}

type DeskRowProps = {
  title: ReactNode;
  /** Short details, side by side. */
  facts: readonly ReactNode[];
  /** A comment that somebody wrote about it. */
  quote?: string | null | undefined;
  /** The buttons; on phones they are below, side by side. */
  children?: ReactNode;
};

export function DeskRow({ title, facts, quote, children }: DeskRowProps) {
  return (
    <DeskItem>
      <div className="flex min-w-0 grow flex-col gap-0.5">
        <div className="flex flex-wrap items-center gap-x-2.5 font-medium wrap-anywhere">{title}</div>
        <p className="flex flex-wrap gap-x-4 text-dense text-soft">
          {facts.map((fact, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no other key than their place
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
    </DeskItem>
  );
}
