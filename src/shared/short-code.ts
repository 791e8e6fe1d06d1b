/** The letters of a code: none that looks like another one. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** How many characters a code has; the last one is checked by the others. */
export const CODE_LENGTH = 10;

/** The last character of a code: Luhn's sum in base 30, which every single wrong character changes. */
export function checkCharacter(start: string): string {
  const base = CODE_ALPHABET.length;
  const sum = [...start].toReversed().reduce((total, character, index) => {
    const value = CODE_ALPHABET.indexOf(character) * (index % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / base) + (value % base);
  }, 0);
  return CODE_ALPHABET.charAt((base - (sum % base)) % base);
}

/** A code as it is kept, however it was typed; undefined when it cannot be one. */
export function readCode(typed: string): string | undefined {
  const code = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase();
  if (code.length !== CODE_LENGTH || [...code].some((one) => !CODE_ALPHABET.includes(one))) return undefined;
  return checkCharacter(code.slice(0, -1)) === code.at(-1) ? code : undefined;
}

/** A code as people read it: 'K7QM-4XRD-92'. */
export function spellCode(code: string): string {
  return `${code.slice(0, 4)}-${code.slice(4, 8)}-${code.slice(8)}`;
}
