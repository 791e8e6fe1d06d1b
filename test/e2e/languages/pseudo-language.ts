import { SPOKEN } from '../spoken-language.ts';

/**
 * The code of the pseudo-language: English in brackets, so that text outside the catalogs stands out. Intl supports this code,
 * and the product does not have its language.
 */
export const MARKED = 'sw';

export const IS_MARKED = (SPOKEN as string) === MARKED;

const [BEGIN, END] = ['[Ťéxt ', ']'];
/** React Aria's own messages, in the locale that vite.config.ts sets. */
const NOT_OURS = ['Dismiss'];
const FILLER = ' ŵíđé';

/** Translates English into the pseudo-language: in brackets and 40% longer, with unchanged placeholders. */
export function marked(text: string): string {
  if (text.trim() === '') return text;
  const longer = Math.ceil(text.replaceAll(/\{\{[^}]*\}\}/g, '').length * 0.4);
  return `${BEGIN}${text}${FILLER.repeat(Math.ceil(longer / FILLER.length))}${END}`;
}

/** The text outside the brackets; undefined unless the tests use the pseudo-language. */
export function withoutMarked(text: string): string | undefined {
  if (!IS_MARKED) return undefined;
  const inner = /\[Ťéxt [^[\]]*\]/g;
  if (NOT_OURS.includes(text)) return '';
  let [before, after] = ['', text];
  while (before !== after) [before, after] = [after, after.replaceAll(inner, '·')];
  return after;
}
