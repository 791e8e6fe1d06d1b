import { SPOKEN } from '../words.ts';

/** A language that nobody speaks: English in marks, so that a text which is not in the catalogue stands out. */
export const MARKED = 'eo';

const [BEGIN, END] = ['[Ťéxt ', ']'];
const FILLER = ' ŵíđé';

/** An English text as that language says it: in marks, and 40 % longer, with its placeholders as they are. */
export function marked(text: string): string {
  if (text.trim() === '') return text;
  const longer = Math.ceil(text.replaceAll(/\{\{[^}]*\}\}/g, '').length * 0.4);
  return `${BEGIN}${text}${FILLER.repeat(Math.ceil(longer / FILLER.length))}${END}`;
}

/** What stands outside of the marks; undefined unless that language is spoken. */
export function withoutMarked(text: string): string | undefined {
  if ((SPOKEN as string) !== MARKED) return undefined;
  const inner = /\[Ťéxt [^[\]]*\]/g;
  let [before, after] = ['', text];
  while (before !== after) [before, after] = [after, after.replaceAll(inner, '·')];
  return after;
}
