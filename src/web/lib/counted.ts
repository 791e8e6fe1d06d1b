import type { Message } from '#base/message.ts';
import type { Text } from './text.ts';

/** How many of a kind there are, and the message that says so. */
export type Counted = Readonly<{ count: number; message: (count: number) => Message }>;

/** What there is of several kinds, in words: '3 categories and 24 volunteers'; empty when there is nothing. */
export function inWords(things: readonly Counted[], { say, language }: Text): string {
  const words = things.filter(({ count }) => count > 0).map(({ count, message }) => say(message(count)));
  return new Intl.ListFormat(language).format(words);
}

/** A whole number in the language of the screen: '1,204'. */
export function formatCount(count: number, language: string): string {
  return new Intl.NumberFormat(language).format(count);
}
