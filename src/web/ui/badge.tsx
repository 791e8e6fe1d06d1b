import type { ReactNode } from 'react';

type Tone = 'brand' | 'grey' | 'notice' | 'danger';

const TONES: Record<Tone, string> = {
  brand: 'border-transparent bg-wash text-brand',
  grey: 'border-line text-soft',
  notice: 'border-notice-line bg-notice-wash text-notice',
  danger: 'border-transparent bg-danger-wash text-danger',
};

/** A word or two that mark a row, such as Today or Ongoing. The words carry the meaning; the color only supports it. */
export function Badge({
  children,
  tone = 'grey',
  icon,
}: {
  children: ReactNode;
  tone?: Tone;
  icon?: ReactNode;
}) {
  return (
    <span
      className={`inline-flex max-w-full shrink-0 items-center gap-1 rounded-full border px-2.5 py-0.5 text-sm font-medium ${TONES[tone]}`}
    >
      {icon}
      {children}
    </span>
  );
}
