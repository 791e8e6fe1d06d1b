import type { Deps } from '../deps.ts';

/**
 * A key in a cookie by which a browser is recognized between leaving for a sign-in service and coming back: what was
 * begun in one browser is of no use in another. It grants nothing by itself.
 */
const NAME = 'vtt-sign-in';
const KEY = /^[A-Za-z0-9_-]{40,50}$/;
const KEPT_SECONDS = 900;

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

/** The Set-Cookie header that keeps a key for a quarter of an hour. */
export function keepingBrowserKey(deps: Where, key: string): string {
  const secure = isHttps(deps) ? '; Secure' : '';
  return `${nameOf(deps)}=${key}; Path=/; Max-Age=${KEPT_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

// With this prefix browsers take the cookie from this very host only, not from a neighbour that shares its domain.
function nameOf(deps: Where): string {
  return isHttps(deps) ? `__Host-${NAME}` : NAME;
}

function isHttps({ config }: Where): boolean {
  return config.publicUrl?.startsWith('https:') === true;
}
