import { isSameSecret, sign } from '#server/secrets.ts';
import { type Instant, instantOf, millisecondsOf } from '#shared/calendar-date.ts';
import { LINK_MINUTES, type Size } from '../contract.ts';

/**
 * The photo behind a link. `reviewRound` increases with every review decision, which invalidates earlier links. A link made
 * while the photo is deleted works only while it is deleted, and any other link only while it is not.
 */
export type LinkedPhoto = Readonly<{ id: number; reviewRound: number; deletedAt?: Instant | null }>;

/** A link as it was requested. */
export type SignedLink = Readonly<{ id: number; size: string; expires: string; signature: string }>;

const PURPOSE = 'photo link';
const STATE_PURPOSE = 'photo link of now';
const SEPARATOR = '.';

/** Returns the links of a photo, which work for `LINK_MINUTES` from `now`. */
export function createLinks(secretKey: Buffer, photo: LinkedPhoto, now: Instant) {
  const expires = millisecondsOf(now) + LINK_MINUTES * 60_000;
  const link = (size: Size) => {
    const own = linkSignature(secretKey, photo.id, size, String(expires));
    const signature = `${own}${SEPARATOR}${stateSignature(secretKey, photo, own)}`;
    return `/api/photos/${photo.id}/files/${size}?expires=${expires}&signature=${signature}`;
  };
  return {
    signedUrl: link('view'),
    thumbnailSignedUrl: link('thumbnail'),
    linksExpireAt: instantOf(expires),
  };
}

/**
 * Returns the remaining seconds of a link, or undefined if it has expired or was changed. Does not read the photo, so that a
 * forged link gets the same reply in the same time whether or not the photo exists.
 */
export function secondsLeft(secretKey: Buffer, link: SignedLink, now: Instant): number | undefined {
  const { own } = splitSignature(link);
  if (!isSameSecret(own, linkSignature(secretKey, link.id, link.size, link.expires))) return undefined;
  const left = Number(link.expires) - millisecondsOf(now);
  return left > 0 ? Math.floor(left / 1000) : undefined;
}

/** Whether a link was made for the photo's current state: the same round of review, and deleted or not. */
export function isLinkCurrent(secretKey: Buffer, photo: LinkedPhoto, link: SignedLink): boolean {
  const { own, state } = splitSignature(link);
  return isSameSecret(state, stateSignature(secretKey, photo, own));
}

function splitSignature({ signature }: SignedLink): { own: string; state: string } {
  const [own = '', state = ''] = signature.split(SEPARATOR);
  return { own, state };
}

function linkSignature(secretKey: Buffer, id: number, size: string, expires: string): string {
  return sign(secretKey, PURPOSE, JSON.stringify([id, size, expires]));
}

function stateSignature(
  secretKey: Buffer,
  { reviewRound, deletedAt = null }: LinkedPhoto,
  own: string,
): string {
  return sign(secretKey, STATE_PURPOSE, JSON.stringify([own, reviewRound, deletedAt]));
}
