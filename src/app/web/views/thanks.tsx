import { usePart, useStands } from '#web/lib/use-part.ts';

/** The thanks for a milestone, loaded after the screen. */
export function Thanks() {
  const part = usePart('thanks', () => import('./thanks-part.tsx'), useStands());
  return part.data !== undefined && <part.data.Thanks />;
}
