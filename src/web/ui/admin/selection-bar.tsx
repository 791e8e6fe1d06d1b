import type { ReactNode } from 'react';
import { fadeScrollEnds } from './horizontal-scroll.ts';

/**
 * How many rows are ticked, and the actions for them. It stays visible while the list scrolls, and stands below the
 * rows, so that none of them moves away from the pointer when the first one is ticked.
 */
export function SelectionBar({
  text,
  isShown,
  children,
}: {
  text: string;
  isShown: boolean;
  children: ReactNode;
}) {
  return (
    <div role="status" className={isShown ? 'sticky bottom-2 z-5 order-last' : 'sr-only'}>
      {isShown && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-brand bg-wash py-2 pr-2 pl-4">
          <p className="figures grow font-medium">{text}</p>
          <div
            ref={fadeScrollEnds}
            className="-mx-1 flex max-w-full gap-3 overflow-x-auto p-1 whitespace-nowrap [scrollbar-width:none]"
          >
            {children}
          </div>
        </div>
      )}
    </div>
  );
}
