import type { Deps } from '#server/deps.ts';
import { type Acting, requireRecentAuth } from '#server/http/viewer.ts';

/**
 * Returns the links for an administrator to pass on if no mail server is configured; otherwise null. Such a link opens the
 * account, so it is shown only after re-authentication.
 */
export function shareableLink<Links>(
  { config }: Pick<Deps, 'config'>,
  { viewer, request }: Acting,
  links: () => Links,
): Links | null {
  if (config.smtpUrl !== undefined) return null;
  requireRecentAuth(viewer, request);
  return links();
}
