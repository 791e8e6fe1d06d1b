import * as z from 'zod/mini';
import { commonMessages } from './common-messages.ts';
import type { Message } from './i18n/message.ts';

// Invisible characters that no name or note needs: control characters (except line break and tab), text
// direction marks, soft hyphens, zero-width spaces, fillers, and tags except those of a flag.
const UNSEEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
  // biome-ignore lint/suspicious/noMisleadingCharacterClass: none of them joins another here
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFB\uFFFE\uFFFF]|(\u{1F3F4}[\u{E0020}-\u{E007F}]+)|[\u{E0000}-\u{E007F}]/gu;
// Joiners shape words in many scripts and combine emoji; anywhere else they are invisible.
const JOINERS =
  /((?:[\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]|(?!\p{Script=Latin})\p{L})[\u200C\u200D](?=[\p{M}\p{Extended_Pictographic}]|(?!\p{Script=Latin})\p{L}))|[\u200C\u200D]/gu;
// A character with the marks and joiners after it.
const MARKED = /([^\p{M}\u200C\u200D]?)([\p{M}\u200C\u200D]+)/gu;
const JOINABLE = /[\p{Extended_Pictographic}\p{Emoji_Modifier}]|(?!\p{Script=Latin})\p{L}/u;

/** Normalizes text for storage: Unicode NFC, no invisible characters, trimmed, line breaks as \n. */
export function normalizeText(text: string): string {
  // NFC comes after the removal, because characters that become adjacent may combine.
  return text
    .replace(UNSEEN, '$1')
    .replace(MARKED, withoutStrayJoiners)
    .replace(JOINERS, '$1')
    .replace(/\r\n?/g, '\n')
    .normalize('NFC')
    .trim();
}

// Depends on the character, not on its last mark, because NFC may merge the two.
function withoutStrayJoiners(marked: string, character: string): string {
  return JOINABLE.test(character) ? marked : marked.replace(/[\u200C\u200D]/g, '');
}

/** Like `normalizeText`, for a name on one line. */
export function normalizeLine(text: string): string {
  return normalizeText(text).replace(/[\t\n\u2028\u2029]+/g, ' ');
}

// Accents are optional in these scripts. In others a mark is a vowel or another letter: 'सीता' is not 'सुता'.
const ACCENTS = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}])\p{M}+/gu;
const WRITTEN_OUT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ħ: 'h',
  ŧ: 't',
  ı: 'i',
  ς: 'σ',
  '‘': "'",
  '’': "'",
  ʼ: "'",
  '‐': '-',
  '‑': '-',
};

/**
 * Folds text for search, sorting and comparison: lower case, no accents, letters without a decomposition
 * spelled out, one kind of apostrophe. 'Élodie Nuñez' -> 'elodie nunez', 'Łukasz Groß' -> 'lukasz gross'.
 */
export function foldForSearch(text: string): string {
  return text
    .replace(UNSEEN, '$1')
    .replace(/[\u200C\u200D]/g, '')
    .normalize('NFD')
    .replace(ACCENTS, '$1')
    .toLowerCase()
    .replace(/[ßæœøłđðþħŧıς‘’ʼ‐‑]/g, (letter) => WRITTEN_OUT[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim();
}

/** Replaces invisible characters by their code, for a message about them: '[U+200E]'. */
export function withCodes(text: string): string {
  return text.replace(
    /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu,
    (unseen) => `[U+${(unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
  );
}

/** Splits a search text into folded words: 'Olsen, Vera' -> ['olsen', 'vera']. */
export function searchWords(search: string): string[] {
  return foldForSearch(search)
    .split(/[\s,;]+/)
    .filter((word) => word !== '');
}

/** A required text: normalized, not blank, at most `max` characters. `missing` is the message for a blank one. */
export function requiredText(max: number, missing: Message, tooLong: Message = commonMessages.tooLong(max)) {
  return requiredBy(normalizeText, max, missing, tooLong);
}

/** Like `requiredText`, for a name on one line. */
export function requiredLine(max: number, missing: Message, tooLong: Message = commonMessages.tooLong(max)) {
  return requiredBy(normalizeLine, max, missing, tooLong);
}

function requiredBy(read: (text: string) => string, max: number, missing: Message, tooLong: Message) {
  return z.pipe(
    z.string(missing),
    z.pipe(z.transform(read), z.string().check(z.minLength(1, missing), z.maxLength(max, tooLong))),
  );
}

/** An optional text. Absent stays absent; null and blank become null (decisions: blank text is null). */
export function optionalText(max: number, tooLong: Message = commonMessages.tooLong(max)) {
  return z.optional(
    z.pipe(
      z.nullable(z.string(tooLong)),
      z.pipe(
        z.transform((text: string | null) => (text === null ? null : normalizeText(text) || null)),
        z.nullable(z.string().check(z.maxLength(max, tooLong))),
      ),
    ),
  );
}
