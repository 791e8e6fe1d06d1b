import { call } from '#web/api/call.ts';
import { getSecondFactor } from '../contract.ts';

/**
 * Whether the viewer lacks a second factor that the district requires, and if so what to show: above the screens, or in their
 * place. Most users have no need of it, so that code is loaded on demand.
 */
export async function findRequiredTwoFactor() {
  const { isSetUp, isOverdue, neededFrom } = await call(getSecondFactor);
  if (isSetUp || neededFrom === null) return { show: undefined };
  const { showRequiredTwoFactor } = await import('./required-two-factor-screen.tsx');
  return { show: showRequiredTwoFactor({ isOverdue, neededFrom }) };
}
