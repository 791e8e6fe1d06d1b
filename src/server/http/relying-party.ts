import { isIP } from 'node:net';
import type { Deps } from '../deps.ts';
import { homePage } from '../email/email.ts';

/** Where passkeys of this product work: the name that they are bound to, and the origin of its pages. */
export type RelyingParty = Readonly<{ id: string; origin: string; name: string }>;

/**
 * The relying party by PUBLIC_URL. Undefined where browsers offer no passkeys: without https, other than on this machine
 * itself, and under an address that is no name.
 */
export function relyingParty(deps: Pick<Deps, 'config'>): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(homePage(deps));
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost');
  const isName = isIP(hostname) === 0 && !hostname.startsWith('[');
  if (!isName || (protocol !== 'https:' && !isHere)) return undefined;
  return { id: hostname, origin, name: deps.config.districtName };
}
