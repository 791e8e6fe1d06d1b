import type { Instant } from '#shared/calendar-date.ts';
import type { Fields, ReferencedEntity } from '#shared/entity-fields.ts';
import type { Db, Trx } from '../db/database.ts';
import type { Tables } from '../db/tables.ts';
import type { Deps } from '../deps.ts';

/**
 * Somebody whose data is handed out or forgotten: the account, each address that is known to be theirs and nobody
 * else's by now (as `emailKey` compares them), and the moment at which it was asked for.
 */
export type Person = Readonly<{ id: number; addresses: readonly string[]; at: Instant }>;

/** What a download holds under a name: one value, or many rows that are read page by page. */
export type Section = Readonly<{ name: string }> &
  (Readonly<{ read: () => Promise<unknown> }> | Readonly<{ pages: () => AsyncIterable<readonly unknown[]> }>);

/** A column of the data model, such as 'users.email'. */
export type Column = { [Table in keyof Tables]: `${Table}.${keyof Tables[Table] & string}` }[keyof Tables];

/** What each room offers for the people it keeps something about. */
export type PersonalData = Readonly<{
  /** What a person's download holds of the room. */
  ownDataOf: (db: Db, person: Person) => readonly Section[];
  /** Removes what names or reaches a person, in the transaction of the erasure. */
  forgetPerson: (trx: Trx, deps: Deps, person: Person) => Promise<void>;
  /** The columns about people that `forgetPerson` blanks, or deletes the rows of. */
  FORGETS: readonly Column[];
  /** The columns about people that stay as they are, and why. */
  KEEPS: Readonly<Partial<Record<Column, string>>>;
  /** The kinds of letters that speak of a person though others get them. */
  lettersAbout?: (db: Db, person: Person) => Promise<readonly string[]>;
}>;

/** Where the name stands of what a field refers to. A person is left out: it is themselves. */
const NAMES = {
  school: 'schools.name',
  category: 'categories.name',
  activity: 'activities.name',
} as const satisfies Partial<Record<ReferencedEntity, string>>;

/**
 * What a query selects for a person's own data of these fields: the column, and the name it gets there. What a field
 * refers to is told by its name, so the query joins that table: 'schools.name' as 'school'.
 */
export function exportColumns(table: string, fields: Fields): ExportColumn[] {
  return Object.entries(fields).flatMap(([name, { column, log }]) => {
    if (log.refersTo === undefined) return [{ column: `${table}.${column}`, name }];
    return log.refersTo === 'user' ? [] : [{ column: NAMES[log.refersTo], name: log.as ?? name }];
  });
}

/** A column of a download, with the name that it gets there. */
export type ExportColumn = Readonly<{ column: string; name: string }>;

/** A row selected with `exportColumns`, with the values as they are on the wire. */
export function exportValues<Row extends Readonly<Record<string, unknown>>>(fields: Fields, row: Row): Row {
  const values: Record<string, unknown> = { ...row };
  for (const [name, { fromColumn, log }] of Object.entries(fields)) {
    if (log.refersTo === undefined) values[name] = fromColumn(values[name]);
  }
  return values as Row;
}

const ROWS_AT_ONCE = 500;

/** Reads up to `limit` of somebody's rows, those that follow the last one of the page before. */
export type PageReader<Row> = (
  db: Db,
  userId: number,
  page: Readonly<{ last: Row | undefined; limit: number }>,
) => Promise<Row[]>;

/** All of somebody's rows, page by page, since they may be many. */
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
