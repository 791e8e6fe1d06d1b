import type { ReactNode } from 'react';

/** A part of the screen under its own heading; `aside` stands at the end of the heading's line. */
export function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="text-xl font-semibold wrap-anywhere">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
