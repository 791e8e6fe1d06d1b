import type { Deps } from '#server/deps.ts';
import { type Acting, requireFreshProof } from '#server/http/viewer.ts';

/**
 * Where no mail server is set, the value with the links that an administrator passes on; otherwise null. Such a link
 * opens the account, so it is shown only after re-authentication.
 */
export function linkToPassOn<Links>(
  { config }: Pick<Deps, 'config'>,
  { viewer, request }: Acting,
  links: () => Links,
): Links | null {
  if (config.smtpUrl !== undefined) return null;
  requireFreshProof(viewer, request);
  return links();
}
