import { usePart } from '#web/lib/use-part.ts';
import type { SecondFactorProps } from './second-factor-part.tsx';

/** The second step of signing in; its code is loaded only by whoever has one. */
export function SecondFactor(props: SecondFactorProps) {
  const part = usePart('second-factor', () => import('./second-factor-part.tsx'));
  return part.data !== undefined && <part.data.SecondFactorView {...props} />;
}
