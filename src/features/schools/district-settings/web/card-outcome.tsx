import type { ReactNode } from 'react';
import { usePageTitle } from '#web/ui/page-title.ts';
import { focusOn } from './card-page.tsx';

type CardStateProps = { icon: ReactNode; isBad?: boolean; title: string; children: ReactNode };

/** The outcome shown on a card: an icon, a heading, and a sentence or two. */
export function CardOutcome({ icon, isBad = false, title, children }: CardStateProps) {
  usePageTitle(title);
  return (
    <section className="flex min-h-40 flex-col items-center justify-center gap-3 text-center text-balance">
      <span
        aria-hidden="true"
        className={`flex size-16 items-center justify-center rounded-full ${isBad ? 'bg-danger-wash text-danger' : 'bg-wash text-brand'}`}
      >
        {icon}
      </span>
      {/* The focused element is gone, so the heading takes the focus and is read out. */}
      <h2 ref={focusOn} tabIndex={-1} className="text-xl font-semibold outline-none">
        {title}
      </h2>
      {children}
    </section>
  );
}
