import * as z from 'zod/mini';
import { CalendarDate, Instant } from '#shared/calendar-date.ts';
import { endpoint } from '#shared/endpoint.ts';
import { messageFactory } from '#shared/i18n/message.ts';
import { Id, IdText } from '#shared/id.ts';
import { daysInOrder, messages as entryMessages, SORT_ORDERS, SORTS, Weekday } from '../contract.ts';
import type text from '../messages.en.json';
import type adminText from '../messages.staff.en.json';
import { StatusParam, VerifiedOnlyFilter } from '../verification-status.ts';

const say = messageFactory<typeof text & typeof adminText>('time-entries');

/** The file formats of an export. */
export const EXPORT_FORMATS = ['csv', 'xlsx'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** How many minutes a link works (decisions: exports). */
export const EXPORT_LINK = { minutes: 5 } as const;

/** Messages about exports. */
export const exportMessages = {
  unknownFormat: say('exportUnknownFormat'),
  linkGone: say('exportLinkGone'),
  notFound: say('exportNotFound'),
  running: say('exportRunning'),
  busy: say('exportBusy'),
  cancelled: say('exportCancelled'),
  failed: say('exportFailed'),
} as const;

/** The list's filters and sort order, in a body; an absent or null field does not filter. */
export const ExportInput = z
  .object({
    format: z.enum(EXPORT_FORMATS, exportMessages.unknownFormat),
    startDate: z.nullish(CalendarDate),
    endDate: z.nullish(CalendarDate),
    weekday: z.nullish(Weekday),
    userId: z.nullish(Id),
    activityId: z.nullish(Id),
    schoolId: z.nullish(Id),
    status: z.nullish(StatusParam),
    only: z.nullish(VerifiedOnlyFilter),
    sortBy: z.nullish(z.enum(SORTS, entryMessages.unknownSort)),
    sortOrder: z.nullish(z.enum(SORT_ORDERS, entryMessages.unknownSort)),
  })
  .check(daysInOrder);
export type ExportInput = z.infer<typeof ExportInput>;

/** The progress of an export: `rows` of `total`. It is `ready` until its link is opened or expires. */
export const Export = z.object({
  id: Id,
  format: z.enum(EXPORT_FORMATS),
  status: z.enum(['ready', 'running', 'done', 'failed', 'cancelled', 'expired']),
  rows: z.int(),
  total: z.int(),
});
export type Export = z.infer<typeof Export>;

/** Returns a link that downloads the file once, without a token, within `EXPORT_LINK.minutes`. */
export const exportTimeEntries = endpoint('POST', '/admin/time-entries/export', {
  body: ExportInput,
  reply: z.object({ export: Export, url: z.string(), expiresAt: Instant }),
  status: 201,
  freshProof: 'always',
});

/** The file: the entries as they were when the link was opened. */
export const downloadTimeEntries = endpoint('GET', '/exports/:token', {
  params: z.object({ token: z.string() }),
  file: true,
});

const byId = z.object({ id: IdText });

/** The progress of the viewer's own export. */
export const readExport = endpoint('GET', '/admin/time-entries/export/:id', {
  params: byId,
  reply: z.object({ export: Export }),
});

/** Cancels the viewer's own export; the part saved so far is incomplete. */
export const cancelExport = endpoint('DELETE', '/admin/time-entries/export/:id', {
  params: byId,
  reply: z.object({ export: Export, message: z.string() }),
});
