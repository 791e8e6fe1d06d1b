import type { CalendarDate } from '#base/calendar-date.ts';
import type { ColumnKind } from '#base/fields.ts';

/** A column of a table that is exported. `width` is about as many characters as it shows at once. */
export type Column = Readonly<{ title: string; kind: ColumnKind; width: number }>;

/** A table as it leaves: `name` is that of its sheet. */
export type Table = Readonly<{ name: string; columns: readonly Column[] }>;

/** A row, one value for each column; nothing is null. */
export type Row = readonly (string | number | CalendarDate | null)[];

/** Some of the bytes of a file, and how many rows are in what was made so far. */
export type Piece = Readonly<{ bytes: Uint8Array; rows: number }>;
