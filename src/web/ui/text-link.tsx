import type { ReactNode } from 'react';

/** A link within a sentence. */
export function TextLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a
      href={href}
      className="rounded font-medium wrap-anywhere text-brand underline decoration-brand/40 underline-offset-4 hover:decoration-current"
    >
      {children}
    </a>
  );
}
