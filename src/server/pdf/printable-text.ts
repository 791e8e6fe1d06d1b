const SCRIPTS =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Whether the PDF font has glyphs for all of a text. Missing ones would print as empty boxes. */
export function isPrintable(text: string): boolean {
  return SCRIPTS.test(text) && !/\p{Emoji_Presentation}/u.test(text);
}
