import type { CalendarDate } from '#shared/calendar-date.ts';
import type { ColumnKind } from '#shared/entity-fields.ts';
import { foldForSearch } from '#shared/text-normalization.ts';

/** A column of an exported table. `width` is about as many characters as it shows. */
export type Column = Readonly<{ title: string; kind: ColumnKind; width: number }>;

/** The types of the files that tables are written as. */
export const FILE_TYPES = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const;

/** A table to export; `name` is the name of its sheet. */
export type Table = Readonly<{ name: string; columns: readonly Column[] }>;

/** A row: one value for each column, never null. */
export type Row = readonly (string | number | CalendarDate | null)[];

/** Some bytes of a file, and how many rows have been made so far. */
export type Piece = Readonly<{ bytes: Uint8Array; rows: number }>;

/** The parts of a file's name, in plain ASCII, joined by underscores; blank ones are left out. */
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
