import { timingSafeEqual } from 'node:crypto';
import { type Instant, instantOf, millisecondsOf } from '#base/calendar-date.ts';
import { sign } from '#server/secret.ts';
import { LINK_MINUTES, type Review, type Size } from '../contract.ts';

/**
 * The photo that a link is to. A link made in one state of review does not work in another, and one made in the
 * trash does not work outside it, or the reverse.
 */
export type Linked = Readonly<{ id: number; review: Review; deletedAt?: Instant | null }>;

const PURPOSE = 'photo link';

/** The links of a photo, valid from `now`. */
export function linksOf(secretKey: Buffer, photo: Linked, now: Instant) {
  const expires = millisecondsOf(now) + LINK_MINUTES * 60_000;
  const link = (size: Size) => {
    const signature = signatureOf(secretKey, photo, size, String(expires));
    return `/api/photos/${photo.id}/files/${size}?expires=${expires}&signature=${signature}`;
  };
  return {
    signedUrl: link('view'),
    thumbnailSignedUrl: link('thumbnail'),
    linksExpireAt: instantOf(expires),
  };
}

/** For how many more seconds a link works; undefined when it has run out or was altered. */
export function secondsLeft(
  secretKey: Buffer,
  photo: Linked,
  link: { size: string; expires: string; signature: string },
  now: Instant,
): number | undefined {
  const expected = Buffer.from(signatureOf(secretKey, photo, link.size, link.expires));
  const given = Buffer.from(link.signature);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  const left = Number(link.expires) - millisecondsOf(now);
  return left > 0 ? Math.floor(left / 1000) : undefined;
}

function signatureOf(secretKey: Buffer, photo: Linked, size: string, expires: string): string {
  const { id, review, deletedAt = null } = photo;
  return sign(secretKey, PURPOSE, JSON.stringify([id, review, deletedAt, size, expires]));
}
