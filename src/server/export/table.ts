import type { CalendarDate } from '#base/calendar-date.ts';
import type { ColumnKind } from '#base/fields.ts';

/** A column of an exported table. `width` is about as many characters as it shows. */
export type Column = Readonly<{ title: string; kind: ColumnKind; width: number }>;

/** A table to export; `name` is the name of its sheet. */
export type Table = Readonly<{ name: string; columns: readonly Column[] }>;

/** A row: one value for each column, never null. */
export type Row = readonly (string | number | CalendarDate | null)[];

/** Some bytes of a file, and how many rows have been made so far. */
export type Piece = Readonly<{ bytes: Uint8Array; rows: number }>;
