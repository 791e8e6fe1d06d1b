import type { ReactNode } from 'react';
import { fadeScrollEnds } from './horizontal-scroll.ts';

/**
 * The number of selected rows and their bulk actions. It stays visible while the list scrolls. It is below the rows, so
 * selecting the first one does not move any row away from the pointer.
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
            className="-mx-1 flex max-w-full gap-3 overflow-x-auto p-1 whitespace-nowrap [scrollbar-width:none] *:shrink-0"
          >
            {children}
          </div>
        </div>
      )}
    </div>
  );
}
