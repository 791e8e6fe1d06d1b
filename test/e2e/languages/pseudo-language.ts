import { SPOKEN } from '../spoken-language.ts';

/**
 * English in marks, so that a text which is not in the catalogue stands out, under the name of a language that the
 * product does not speak and that every Intl knows.
 */
export const MARKED = 'sw';

export const IS_MARKED = (SPOKEN as string) === MARKED;

const [BEGIN, END] = ['[Ťéxt ', ']'];
/** What React Aria says by itself, in the words of the language that vite.config.ts names. */
const NOT_OURS = ['Dismiss'];
const FILLER = ' ŵíđé';

/** An English text as that language says it: in marks, and 40 % longer, with its placeholders as they are. */
export function marked(text: string): string {
  if (text.trim() === '') return text;
  const longer = Math.ceil(text.replaceAll(/\{\{[^}]*\}\}/g, '').length * 0.4);
  return `${BEGIN}${text}${FILLER.repeat(Math.ceil(longer / FILLER.length))}${END}`;
}

/** What stands outside of the marks; undefined unless that language is spoken. */
export function withoutMarked(text: string): string | undefined {
  if (!IS_MARKED) return undefined;
  const inner = /\[Ťéxt [^[\]]*\]/g;
  if (NOT_OURS.includes(text)) return '';
  let [before, after] = ['', text];
  while (before !== after) [before, after] = [after, after.replaceAll(inner, '·')];
  return after;
}
