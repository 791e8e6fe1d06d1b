import { Readable } from 'node:stream';
import { dayIn } from '#shared/calendar-date.ts';
import { commonMessages } from '#shared/common-messages.ts';
import type { ColumnKind } from '#shared/entity-fields.ts';
import { errors } from '#shared/errors.ts';
import { LANGUAGES } from '#shared/i18n/languages.ts';
import type { ListFormat } from '#shared/list-query.ts';
import { recordEvent } from '../audit-log.ts';
import { transaction } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { FileAnswer } from '../http/route-mount.ts';
import { type Acting, actorOf } from '../http/viewer.ts';
import { withNameLanguage } from '../i18n/locale.ts';
import { newToken } from '../secrets.ts';
import { writeCsv } from './csv.ts';
import { FILE_TYPES, fileName, type Piece, type Row } from './export-table.ts';
import { followExport, isExportLimitReached } from './running-exports.ts';
import { writeXlsx } from './xlsx.ts';

/** A column of an exported list; `title` is a message key, `width` its approximate number of characters. */
export type ListColumn<R> = Readonly<{
  title: string;
  kind: ColumnKind;
  width: number;
  value: (row: R) => string | number | null;
}>;

/** A page of a list as its screen shows it. */
type ListPage<R> = Readonly<{ rows: readonly R[]; nextCursor: string | null }>;

type PageQuery = Readonly<{ limit: number; cursor: string | undefined }>;

/** The filters and order that the user set, without blanks. */
type Filters<Input> = { [Name in Exclude<keyof Input, 'format'>]?: NonNullable<Input[Name]> };

/** A list to export: its columns, and a function that reads its pages like its screen. */
export type ListExport<R, Input> = Readonly<{
  /** The name used in the file name and the audit log. */
  list: string;
  /** The message key of its title, which names the sheet. */
  title: string;
  /** The body of the request: the format, and the filters and order of the list. */
  input: Input;
  columns: readonly ListColumn<R>[];
  read: (query: Filters<Input> & PageQuery) => Promise<ListPage<R>>;
}>;

// Requests on this thread wait while a page is processed.
const PAGE_ROWS = 200;
const RETRY_AFTER_SECONDS = 10;

/**
 * Exports a list as a file, page by page while it is sent, and records an audit event. Throws for invalid
 * filters before it starts, and 429 while too many exports run. Rows that move within the list meanwhile may
 * be missing or appear twice.
 */
export async function listFile<R, Input extends { format: ListFormat }>(
  deps: Deps,
  { viewer, request }: Acting,
  given: ListExport<R, Input>,
): Promise<FileAnswer> {
  if (isExportLimitReached(deps)) throw errors.tooManyTries(commonMessages.reportsBusy, RETRY_AFTER_SECONDS);
  const { list, input, columns } = given;
  const { format } = input;
  const filters = givenFilters(input);
  // Files use the original names, whatever the user's language.
  const read = (page: PageQuery) => withNameLanguage(LANGUAGES[0], () => given.read({ ...filters, ...page }));
  const first = await read({ limit: PAGE_ROWS, cursor: undefined });
  await transaction(deps.database, (trx) =>
    recordEvent(trx, actorOf(viewer, request), {
      action: 'list.export',
      subject: 'export',
      subjectId: null,
      schoolId: 'schoolId' in filters && typeof filters.schoolId === 'number' ? filters.schoolId : null,
      after: { list, format, ...filters },
    }),
  );
  const { t } = deps.translator;
  const table = {
    name: t(given.title),
    columns: columns.map(({ title, kind, width }) => ({ title: t(title), kind, width })),
  };
  const write = format === 'csv' ? writeCsv : writeXlsx;
  const made = { rows: 0 };
  const content = Readable.from(bytesOf(write(table, readPages(first, { columns, read })), made), {
    objectMode: false,
  });
  const followed = { total: 0, content, rows: () => made.rows };
  followExport(deps, newToken(), followed, { progress: async () => true, end: async () => {} });
  const day = dayIn(deps.config.timeZone, request.at);
  return {
    name: `${fileName(deps.config.districtName, list, day)}.${format}`,
    type: FILE_TYPES[format],
    content,
  };
}

/** Returns the filters and order that the user set, without blanks. */
export function givenFilters<Input extends { format?: ListFormat }>(input: Input): Filters<Input> {
  const { format: _, ...filters } = input;
  return Object.fromEntries(
    Object.entries(filters).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  ) as Filters<Input>;
}

async function* readPages<R>(
  first: ListPage<R>,
  { columns, read }: { columns: readonly ListColumn<R>[]; read: (page: PageQuery) => Promise<ListPage<R>> },
): AsyncGenerator<readonly Row[]> {
  let page = first;
  for (;;) {
    yield page.rows.map((row) => columns.map(({ value }) => value(row)));
    if (page.nextCursor === null) return;
    page = await read({ limit: PAGE_ROWS, cursor: page.nextCursor });
    // Let other requests on this thread run first.
    await new Promise(setImmediate);
  }
}

async function* bytesOf(pieces: AsyncIterable<Piece>, made: { rows: number }): AsyncGenerator<Uint8Array> {
  for await (const { bytes, rows } of pieces) {
    made.rows = rows;
    if (bytes.length > 0) yield bytes;
  }
}
