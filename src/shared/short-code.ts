/** The characters of a code, without look-alike characters. */
export const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The length of a code; the last character is a checksum. */
export const CODE_LENGTH = 10;

/** Returns the check character of a code (Luhn mod 30), which detects any one-character error. */
export function checkCharacter(start: string): string {
  const base = CODE_ALPHABET.length;
  const sum = [...start].toReversed().reduce((total, character, index) => {
    const value = CODE_ALPHABET.indexOf(character) * (index % 2 === 0 ? 2 : 1);
    return total + Math.floor(value / base) + (value % base);
  }, 0);
  return CODE_ALPHABET.charAt((base - (sum % base)) % base);
}

/** Normalizes a typed code; undefined if it is invalid. */
export function readCode(typed: string): string | undefined {
  const code = readCodeCharacters(typed, CODE_LENGTH);
  return code !== undefined && checkCharacter(code.slice(0, -1)) === code.at(-1) ? code : undefined;
}

/** Normalizes a typed code without a check character; undefined if it cannot be one. */
export function readCodeCharacters(typed: string, length: number): string | undefined {
  const code = typed
    .normalize('NFKC')
    .replace(/[\s\p{Pd}\p{Cf}]/gu, '')
    .toUpperCase();
  const isOne = code.length === length && [...code].every((one) => CODE_ALPHABET.includes(one));
  return isOne ? code : undefined;
}

/** Formats a code for people in groups of four: 'K7QM-4XRD-92'. */
export function spellCode(code: string): string {
  return (code.match(/.{1,4}/g) ?? []).join('-');
}
