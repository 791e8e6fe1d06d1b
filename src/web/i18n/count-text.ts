import type { Message } from '#shared/i18n/message.ts';
import { formatNumber } from '#shared/i18n/number-format.ts';
import type { Text } from './translate.ts';

/** A count of one kind of record, with the message that states it. */
export type Counted = Readonly<{ count: number; message: (count: number) => Message }>;

/** Joins several counts: '3 categories and 24 volunteers'. Empty if all are 0. */
export function inWords(things: readonly Counted[], { say, language }: Text): string {
  const words = things.filter(({ count }) => count > 0).map(({ count, message }) => say(message(count)));
  return new Intl.ListFormat(language).format(words);
}

/** Formats a whole number in the page's language: '1,204'. */
export function formatCount(count: number, language: string): string {
  return formatNumber(count, language);
}
