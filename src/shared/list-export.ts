import * as z from 'zod/mini';
import { baseMessages } from './common-messages.ts';
import { Id } from './id.ts';

/** The formats in which a list is saved. */
export const LIST_FORMATS = ['csv', 'xlsx'] as const;
export type ListFormat = (typeof LIST_FORMATS)[number];

/** What the export of every list takes, beside its own filters and order; null and absent do not filter. */
export const listExport = {
  format: z.enum(LIST_FORMATS, baseMessages.invalidRequest),
  schoolId: z.nullish(Id),
  search: z.nullish(z.string().check(z.maxLength(100, baseMessages.search))),
};
