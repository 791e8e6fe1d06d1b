import { call } from '#web/api/call.ts';
import { getSecondFactor } from '../contract.ts';

/**
 * Whether the viewer lacks the second proof that the district demands, and what then shows: above the screens, or in
 * their place. Most lack nothing, so what shows is loaded then.
 */
export async function findRequiredTwoFactor() {
  const { isSetUp, isOverdue, neededFrom } = await call(getSecondFactor);
  if (isSetUp || neededFrom === null) return { show: undefined };
  const { showRequiredTwoFactor } = await import('./required-two-factor-screen.tsx');
  return { show: showRequiredTwoFactor({ isOverdue, neededFrom }) };
}
