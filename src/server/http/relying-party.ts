import { isIP } from 'node:net';
import type { Deps } from '../deps.ts';
import { homePage } from '../email/email.ts';

/** The relying party of passkeys: the domain they are bound to, and the origin of the pages. */
export type RelyingParty = Readonly<{ id: string; origin: string; name: string }>;

/**
 * The relying party derived from PUBLIC_URL. Undefined where browsers offer no passkeys: without https,
 * except on localhost, and for an IP address.
 */
export function relyingParty(deps: Pick<Deps, 'config'>): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(homePage(deps));
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  if (!isName || (protocol !== 'https:' && !isHere)) return undefined;
  return { id: hostname, origin, name: deps.config.districtName };
}
