import { getSecondFactor } from '#rooms/second-proof/contract.ts';
import { call } from '#web/lib/call.ts';

/**
 * Whether the viewer lacks the second proof that the district demands, and what then shows: above the screens, or in
 * their place. Most lack nothing, so what shows is loaded then.
 */
export async function findProofNeeded() {
  const { isSetUp, isOverdue, neededFrom } = await call(getSecondFactor);
  if (isSetUp || neededFrom === null) return { show: undefined };
  const { showProofNeeded } = await import('./proof-needed.tsx');
  return { show: showProofNeeded({ isOverdue, neededFrom }) };
}
