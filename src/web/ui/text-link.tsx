import type { ReactNode } from 'react';

/** A link within a sentence, with a touch target larger than its line. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className="rounded py-3.5 font-medium wrap-anywhere text-brand underline decoration-1 underline-offset-4 hover:decoration-2"
    >
      {children}
    </a>
  );
}
