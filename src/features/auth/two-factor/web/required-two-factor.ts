import { call } from '#web/api/call.ts';
import { getSecondFactor } from '../contract.ts';

/**
 * Returns what to show if the viewer lacks a required second factor: a notice above the screens, or a screen instead of them.
 * Loaded on demand, because most users do not need it.
 */
export async function findRequiredTwoFactor() {
  const { isSetUp, isOverdue, neededFrom } = await call(getSecondFactor);
  if (isSetUp || neededFrom === null) return { show: undefined };
  const { showRequiredTwoFactor } = await import('./required-two-factor-screen.tsx');
  return { show: showRequiredTwoFactor({ isOverdue, neededFrom }) };
}
