const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
};

/** A last name as it is compared: without case, accents, blanks, hyphens and apostrophes. */
export function foldLastName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{P}\p{S}\p{Z}\p{C}]/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđðþı]/g, (letter) => WRITTEN_OUT[letter] ?? letter);
}
