import type { Deps } from '../deps.ts';

/**
 * A cookie that identifies a browser between leaving for a sign-in service and returning, so that a sign-in
 * begun in one browser cannot be finished in another. It grants nothing by itself.
 */
const NAME = 'vtt-sign-in';
const KEY = /^[A-Za-z0-9_-]{40,50}$/;
const MAX_AGE_SECONDS = 900;

type Where = Pick<Deps, 'config'>;

/** The key in a Cookie header, or undefined. */
export function browserKeyIn(deps: Where, header: string | undefined): string | undefined {
  const name = nameOf(deps);
  for (const pair of (header ?? '').split(';')) {
    const [key, value] = pair.split('=', 2);
    if (key?.trim() === name && value !== undefined && KEY.test(value.trim())) return value.trim();
  }
  return undefined;
}

/** The Set-Cookie header that stores a key for 15 minutes. */
export function browserKeyCookie(deps: Where, key: string): string {
  const secure = isHttps(deps) ? '; Secure' : '';
  return `${nameOf(deps)}=${key}; Path=/; Max-Age=${MAX_AGE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

// With this prefix browsers accept the cookie from this host only, not from a sibling subdomain.
function nameOf(deps: Where): string {
  return isHttps(deps) ? `__Host-${NAME}` : NAME;
}

function isHttps({ config }: Where): boolean {
  return config.publicUrl?.startsWith('https:') === true;
}
