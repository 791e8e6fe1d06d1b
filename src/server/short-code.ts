import { randomInt } from 'node:crypto';
import { CODE_ALPHABET, CODE_LENGTH, checkCharacter } from '#shared/short-code.ts';

/** A code that nobody has: 44 random bits and a check character. */
export function newCode(): string {
  const start = Array.from({ length: CODE_LENGTH - 1 }, () =>
    CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length)),
  ).join('');
  return start + checkCharacter(start);
}
