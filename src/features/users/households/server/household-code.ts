import { randomInt } from 'node:crypto';
import { CODE_ALPHABET } from '#shared/short-code.ts';
import { LIMITS } from '../contract.ts';

/** A code of letters and digits of which none looks like another. */
export function newCode(): string {
  return Array.from({ length: LIMITS.codeLength }, () =>
    CODE_ALPHABET.charAt(randomInt(CODE_ALPHABET.length)),
  ).join('');
}

/** A code as it is kept, however it was typed; undefined when it cannot be one. */
export function readCode(typed: string): string | undefined {
  const code = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase();
  const isOne = code.length === LIMITS.codeLength && [...code].every((one) => CODE_ALPHABET.includes(one));
  return isOne ? code : undefined;
}

/** A code as people read it: 'K7QM-4XRD'. */
export function spellCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}
