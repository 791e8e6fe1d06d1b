import { plusMilliseconds } from '#base/calendar-date.ts';
import { refuse } from '#base/refusal.ts';
import type { Trx } from '#server/db/connect.ts';
import type { Request } from '#server/http/viewer.ts';
import { hashToken } from '#server/secret.ts';
import { messages } from '../provider-contract.ts';
import { hasEnded, insertEnded } from './provider-logout-store.ts';
import type { Source } from './session-store.ts';

/** A session at a service, by the name that the service has for it. */
type Named = Readonly<{ issuer: string; session: string }>;

// Longer than a sign-in that it began may wait here for a password and a code.
const KEPT_MS = 3_600_000;

/** Keeps that a session at a service ended: a sign-in from it may still wait here for a password or a code. */
export function noteEnded(trx: Trx, { at }: Request, named: Named): Promise<void> {
  return insertEnded(trx, markOf(named), plusMilliseconds(at, KEPT_MS));
}

/** Throws 400 when the service's session that a sign-in came from has ended meanwhile. */
export async function refuseEnded(
  trx: Trx,
  { at }: Request,
  { issuer, providerSession: session }: Source,
): Promise<void> {
  if (session === undefined || !(await hasEnded(trx, markOf({ issuer, session }), at))) return;
  throw refuse.invalid(messages.startAgain);
}

function markOf({ issuer, session }: Named): string {
  return hashToken(`ended ${issuer} ${session}`);
}
