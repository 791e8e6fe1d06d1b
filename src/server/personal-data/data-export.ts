import type { Instant } from '#shared/calendar-date.ts';
import type { Fields, ReferencedEntity } from '#shared/entity-fields.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';

/**
 * A user whose data is exported or deleted: the account, every address that is known to be theirs and no other user's (compared
 * by `emailKey`), and the time of the request.
 */
export type Person = Readonly<{ id: number; addresses: readonly string[]; at: Instant }>;

/** A named part of a data export: one value, or many rows read page by page. */
export type Section = Readonly<{ name: string }> &
  (Readonly<{ read: () => Promise<unknown> }> | Readonly<{ pages: () => AsyncIterable<readonly unknown[]> }>);

/** A database column, such as 'users.email'. */
export type Column = { [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}` }[keyof Tables];

/** The functions and columns that each feature provides for the personal data that it stores. */
export type PersonalData = Readonly<{
  /** The feature's part of a user's data export. */
  exportPersonalData: (db: Db, person: Person) => readonly Section[];
  /** Deletes data that identifies a user, or that can be used to contact them, in the transaction of the account deletion. */
  deletePersonalData: (trx: Trx, deps: Deps, person: Person) => Promise<void>;
  /** The personal columns that `deletePersonalData` blanks or whose rows it deletes. */
  DELETED_COLUMNS: readonly Column[];
  /** The personal columns that are retained, and why. */
  RETAINED_COLUMNS: Readonly<Partial<Record<Column, string>>>;
  /** The kinds of emails to others about a user. */
  emailsAbout?: (db: Db, person: Person) => Promise<readonly string[]>;
}>;

/** The columns with the names of referenced rows. The user is left out, because it is their own export. */
const NAMES = {
  school: 'schools.name',
  category: 'categories.name',
  activity: 'activities.name',
} as const satisfies Partial<Record<ReferencedEntity, string>>;

/**
 * The columns to select for a data export of these fields, with their export names. A reference is exported by name, so the
 * query must join its table: 'schools.name' as 'school'.
 */
export function exportColumns(table: string, fields: Fields): ExportColumn[] {
  return Object.entries(fields).flatMap(([name, { column, log }]) => {
    if (log.refersTo === undefined) return [{ column: `${table}.${column}`, name }];
    return log.refersTo === 'user' ? [] : [{ column: NAMES[log.refersTo], name: log.as ?? name }];
  });
}

/** A column of a data export, with its export name. */
export type ExportColumn = Readonly<{ column: string; name: string }>;

/** Converts a row selected with `exportColumns` to wire values. */
export function exportValues<Row extends Readonly<Record<string, unknown>>>(fields: Fields, row: Row): Row {
  const values: Record<string, unknown> = { ...row };
  for (const [name, { fromColumn, log }] of Object.entries(fields)) {
    if (log.refersTo === undefined) values[name] = fromColumn(values[name]);
  }
  return values as Row;
}

const ROWS_AT_ONCE = 500;

/** Reads up to `limit` of a user's rows, after the last row of the previous page. */
export type PageReader<Row> = (
  db: Db,
  userId: number,
  page: Readonly<{ last: Row | undefined; limit: number }>,
) => Promise<Row[]>;

/** All of a user's rows, page by page, because there may be many. */
export async function* allPages<Row>(
  db: Db,
  userId: number,
  read: PageReader<Row>,
): AsyncGenerator<readonly Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(db, userId, { last, limit: ROWS_AT_ONCE });
    if (rows.length > 0) yield rows;
    last = rows.length < ROWS_AT_ONCE ? undefined : rows.at(-1);
  } while (last !== undefined);
}
