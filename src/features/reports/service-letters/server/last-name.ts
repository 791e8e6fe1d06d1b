import { fold } from '#shared/text-normalization.ts';

/** A last name as it is compared: without case, accents, blanks, hyphens and apostrophes. */
export function foldLastName(name: string): string {
  return fold(name.normalize('NFKC')).replace(/[\p{P}\p{S}\p{Z}\p{C}]/gu, '');
}
