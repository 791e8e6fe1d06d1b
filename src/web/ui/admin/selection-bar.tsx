import type { ReactNode } from 'react';

/** How many rows are ticked, and the actions for them. It stays visible while the list scrolls. */
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
    <div role="status" className={isShown ? 'sticky top-2 z-5' : 'sr-only'}>
      {isShown && (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-2 rounded-card border border-brand bg-wash py-2 pr-2 pl-4">
          <p className="figures grow font-medium">{text}</p>
          {children}
        </div>
      )}
    </div>
  );
}
