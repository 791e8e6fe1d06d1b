import type { Deps } from '#server/deps.ts';
import { networkOf } from '#server/http/client-address.ts';
import {
  checkRateLimit,
  EMAILS_BY_SENDER,
  EMAILS_PER_ACCOUNT,
  EMAILS_PER_NETWORK,
} from '#server/http/rate-limit.ts';
import type { Request } from '#server/http/viewer.ts';
import { emailKey } from '../contract.ts';

/**
 * Whether an email may be sent to a possibly unconfirmed address. Limited per recipient, per signed-in sender and per network,
 * in every registration mode. Callers do not report a rejection.
 */
export function canEmail(
  deps: Deps,
  request: Request,
  to: string,
  senderId: number | undefined,
): Promise<boolean> {
  const counters = [
    { key: `confirm-letters:${emailKey(to)}`, policy: EMAILS_PER_ACCOUNT },
    { key: `letters-from:${networkOf(request.address)}`, policy: EMAILS_PER_NETWORK },
    ...(senderId === undefined ? [] : [{ key: `letters-by:${senderId}`, policy: EMAILS_BY_SENDER }]),
  ];
  return checkRateLimit(deps.database, counters, request.at);
}
