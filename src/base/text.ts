import * as z from 'zod/mini';
import type { Message } from './message.ts';
import { baseMessages } from './messages.ts';

// Control characters have no place in a name or a note, nor have those that turn the direction of what follows; a line
// break and a tab have one in a note.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is being removed
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F\u202A-\u202E\u2066-\u2069]/g;

/** A text as it is stored: Unicode NFC, no control characters, no blanks around it, line breaks as \n. */
export function clean(text: string): string {
  // In this order: what stood on both sides of something removed may join to one character.
  return text.replace(CONTROL, '').replace(/\r\n?/g, '\n').normalize('NFC').trim();
}

/** A text as it is searched and sorted: lower case and without accents. 'Élodie Nuñez' -> 'elodie nunez'. */
export function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** A text that must be there: cleaned, not blank, at most `max` characters. `missing` is said when it is not. */
export function requiredText(max: number, missing: Message, tooLong: Message = baseMessages.tooLong(max)) {
  return z.pipe(
    z.string(missing),
    z.pipe(z.transform(clean), z.string().check(z.minLength(1, missing), z.maxLength(max, tooLong))),
  );
}

/** A text that may be left out: absent stays absent, null and blank are null (decisions: blank text is null). */
export function optionalText(max: number, tooLong: Message = baseMessages.tooLong(max)) {
  return z.optional(
    z.pipe(
      z.nullable(z.string(tooLong)),
      z.pipe(
        z.transform((text: string | null) => (text === null ? null : clean(text) || null)),
        z.nullable(z.string().check(z.maxLength(max, tooLong))),
      ),
    ),
  );
}
