import type { CalendarDate } from '#shared/calendar-date.ts';
import type { ColumnKind } from '#shared/entity-fields.ts';
import { foldForSearch } from '#shared/text-normalization.ts';

/** A column of an exported table. `width` is its approximate number of characters. */
export type Column = Readonly<{ title: string; kind: ColumnKind; width: number }>;

/** The file formats of tables. */
export const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A table to export. `name` is the name of its sheet. */
export type Table = Readonly<{ name: string; columns: readonly Column[] }>;

/** A row: one value per column, in order; null for an empty cell. */
export type Row = readonly (string | number | CalendarDate | null)[];

/** A chunk of a file, and the number of rows written so far. */
export type Piece = Readonly<{ bytes: Uint8Array; rows: number }>;

/** Builds a file name from parts, in plain ASCII, joined by underscores; blank parts are skipped. */
export function fileName(...parts: readonly (string | undefined)[]): string {
  return parts
    .map((part) => slug(part ?? ''))
    .filter(Boolean)
    .join('_');
}

function slug(name: string): string {
  return foldForSearch(name)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60);
}
