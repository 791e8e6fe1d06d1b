import * as z from 'zod/mini';
import { commonMessages } from './common-messages.ts';
import type { Message } from './i18n/message.ts';

/** An identifier: a whole number made by the database, to clients an opaque JSON number. */
export type Id = number;

/** The schema of an identifier in a body or a reply. */
export const Id = idOr(commonMessages.required);

/** An identifier in a body, with the sentence to say when it is missing or no number. */
export function idOr(message: Message) {
  return z.int(message).check(z.positive(message));
}

/**
 * An identifier in a path or a query. A text that cannot be one of ours reads as 0, which no row has, so that
 * it gets exactly the same "not found" reply as an id that does not exist.
 */
export const IdText = z.pipe(
  z.union([z.string(), z.number()]),
  z.transform((text): Id => (/^[1-9]\d{0,14}$/.test(String(text)) ? Number(text) : 0)),
);
