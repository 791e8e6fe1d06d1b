import type { Deps } from '#server/deps.ts';
import { seal, unseal } from '#server/secrets.ts';

/**
 * What is stored of a letter until it is posted to all: what it says, whence it comes (the district or some schools), and
 * where answers go.
 */
export type Written = Readonly<{ subject: string; text: string; places: readonly string[]; email: string }>;

const PURPOSE = 'letter to many';

/** Seals it: a copy of the database alone does not give it away. */
export function encryptAnnouncement({ secretKey }: Deps, written: Written): string {
  return seal(secretKey, PURPOSE, JSON.stringify(written));
}

/** Reads it again; undefined after a change of SECRET_KEY. */
export function decryptAnnouncement({ secretKey }: Deps, sealed: string | null): Written | undefined {
  try {
    const { place, ...written } = JSON.parse(unseal(secretKey, PURPOSE, sealed ?? ''));
    // Earlier versions stored the schools in a sentence.
    return place === undefined ? written : { ...written, places: [place] };
  } catch {
    return undefined;
  }
}
