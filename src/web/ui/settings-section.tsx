import { type ReactNode, useId } from 'react';

/** A section of Account Settings. */
export function SettingsSection({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    <section
      aria-labelledby={id}
      className="flex flex-col gap-4 border-t border-line py-5 first:border-t-0 first:pt-1 last:pb-0"
    >
      <h3 id={id} className="text-lg font-semibold">
        {title}
      </h3>
      {children}
    </section>
  );
}
