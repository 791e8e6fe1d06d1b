import * as z from 'zod/mini';
import { commonMessages } from './common-messages.ts';
import { Id } from './id.ts';

/** The formats of a list export. */
export const LIST_FORMATS = ['csv', 'xlsx'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/**
 * The query fields of every list export, in addition to the list's own filters and order. Null and absent fields do not filter.
 */
export const listExport = {
  format: z.enum(LIST_FORMATS, commonMessages.invalidRequest),
  schoolId: z.nullish(Id),
  search: z.nullish(z.string().check(z.maxLength(100, commonMessages.search))),
};

/** The default and largest number of rows per page (decisions: wire conventions). */
export const PAGE = { default: 100, max: 500 } as const;

const LimitText = z.pipe(
  z.union([z.string(), z.number()]),
  z.pipe(
    z.transform((text: string | number) => (/^\d{1,4}$/.test(String(text)) ? Number(text) : 0)),
    z.number().check(z.minimum(1, commonMessages.limit), z.maximum(PAGE.max, commonMessages.limit)),
  ),
);

/** The query fields of a list with keyset pagination. */
export const pageQuery = {
  limit: z.optional(LimitText),
  cursor: z.optional(
    z.string().check(z.minLength(1, commonMessages.cursor), z.maxLength(1000, commonMessages.cursor)),
  ),
};

/** A search text of at most 100 characters; blank means no search. */
export const searchQuery = {
  search: z.optional(z.string().check(z.maxLength(100, commonMessages.search))),
};

/** The reply fields of a list with keyset pagination. Send `nextCursor` back as `cursor`; null marks the end. */
export const pageReply = { nextCursor: z.nullable(z.string()) };
