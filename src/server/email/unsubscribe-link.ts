import type { Deps } from '../deps.ts';
import { isSameSecret, sign } from '../secrets.ts';
import { homePage } from './email.ts';

/** The recurring emails that recipients can unsubscribe from. */
export const UNSUBSCRIBABLE = [
  'waiting-hours',
  'suggestions',
  'after-events',
  'on-mondays',
  'to-many',
] as const;
export type Unsubscribable = (typeof UNSUBSCRIBABLE)[number];

/** The path that unsubscribes without signing in. */
export const UNSUBSCRIBE_PATH = '/stop-letters';

const PURPOSE = 'stop letters';

/**
 * The unsubscribe link, used by opening and confirming it or by the mail client's button (RFC 8058). It
 * grants nothing else, so it needs no expiry and no row in the database.
 */
export function unsubscribeLink(deps: Deps, letters: Unsubscribable, userId: number): string {
  return `${homePage(deps)}${UNSUBSCRIBE_PATH}?of=${createToken(deps, letters, userId)}`;
}

/** Returns the email kind and user of an unsubscribe token; undefined if this server did not create it. */
export function parseUnsubscribeToken(
  deps: Deps,
  token: string,
): { letters: Unsubscribable; userId: number } | undefined {
  const [name, id = ''] = token.split('.');
  const letters = UNSUBSCRIBABLE.find((one) => one === name);
  const userId = Number(/^[1-9]\d{0,14}$/.exec(id)?.[0]);
  if (letters === undefined || Number.isNaN(userId)) return undefined;
  return isSameSecret(token, createToken(deps, letters, userId)) ? { letters, userId } : undefined;
}

function createToken({ secretKey }: Deps, letters: Unsubscribable, userId: number): string {
  return `${letters}.${userId}.${sign(secretKey, PURPOSE, `${letters}.${userId}`)}`;
}
