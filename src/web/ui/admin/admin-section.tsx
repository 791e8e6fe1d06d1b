import type { ReactNode } from 'react';

type AdminSectionProps = {
  /** Lets a step of the first-run checklist scroll to it. */
  id?: string;
  title: string;
  aside?: ReactNode;
  children: ReactNode;
};

/** A section with its own heading; `aside` goes at the end of the heading's line. */
export function AdminSection({ id, title, aside, children }: AdminSectionProps) {
  return (
    <section
      id={id}
      tabIndex={id === undefined ? undefined : -1}
      aria-label={title}
      className="flex flex-col gap-3 outline-none"
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h3 className="text-xl font-semibold wrap-anywhere">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}
