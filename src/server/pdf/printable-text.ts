const SCRIPTS =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Common}\p{Script=Inherited}]*$/u;

/** Whether the font of the PDFs draws all of a text; the rest would be empty boxes. */
export function isPrintable(text: string): boolean {
  return SCRIPTS.test(text) && !/\p{Emoji_Presentation}/u.test(text);
}
