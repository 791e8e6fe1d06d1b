import { timingSafeEqual } from 'node:crypto';
import type { Deps } from '../deps.ts';
import { sign } from '../secrets.ts';
import { homePage } from './email.ts';

/** Letters that come again and again until their receiver stops them. */
export const UNSUBSCRIBABLE = [
  'waiting-hours',
  'suggestions',
  'after-events',
  'on-mondays',
  'to-many',
] as const;
export type Unsubscribable = (typeof UNSUBSCRIBABLE)[number];

/** Where a letter is stopped without signing in. */
export const UNSUBSCRIBE_PATH = '/stop-letters';

const PURPOSE = 'stop letters';

/**
 * The address at which somebody stops letters, by opening and confirming it or by their mail program's button (RFC
 * 8058). It does nothing else, so it needs no end and no row in the database.
 */
export function unsubscribeLink(deps: Deps, letters: Unsubscribable, userId: number): string {
  return `${homePage(deps)}${UNSUBSCRIBE_PATH}?of=${tokenOf(deps, letters, userId)}`;
}

/** Which letters to whom a token stops; undefined when this server did not make it. */
export function parseUnsubscribeToken(
  deps: Deps,
  token: string,
): { letters: Unsubscribable; userId: number } | undefined {
  const [name, id = ''] = token.split('.');
  const letters = UNSUBSCRIBABLE.find((one) => one === name);
  const userId = Number(/^[1-9]\d{0,14}$/.exec(id)?.[0]);
  if (letters === undefined || Number.isNaN(userId)) return undefined;
  const expected = Buffer.from(tokenOf(deps, letters, userId));
  const given = Buffer.from(token);
  return given.length === expected.length && timingSafeEqual(given, expected)
    ? { letters, userId }
    : undefined;
}

function tokenOf({ secretKey }: Deps, letters: Unsubscribable, userId: number): string {
  return `${letters}.${userId}.${sign(secretKey, PURPOSE, `${letters}.${userId}`)}`;
}
