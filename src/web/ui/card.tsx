import type { ReactNode, Ref } from 'react';

/** A card on the page: a border, no shadow. */
export function Card({
  children,
  labelledBy,
  isTight = false,
  ref,
}: {
  children: ReactNode;
  labelledBy?: string;
  isTight?: boolean;
  ref?: Ref<HTMLElement>;
}) {
  return (
    <section
      ref={ref}
      aria-labelledby={labelledBy}
      className={`rounded-card border border-line bg-card ${isTight ? 'p-3 sm:p-4' : 'p-5 sm:p-6'}`}
    >
      {children}
    </section>
  );
}
