import { fromHundredths, type Hours, toHundredths } from './hours.ts';

/**
 * A field of a record that people fill in: its column, the conversions to and from it, and its name in the
 * district log. Each record has one list of its fields, by their names on the wire; all code that stores,
 * shows, changes, logs or exports the record reads that list.
 */
export type Field = Readonly<{
  column: string;
  toColumn(value: unknown): unknown;
  fromColumn(stored: unknown): unknown;
  log: AuditedField;
  /** Who gets the value, among those who may see the record: everybody by default. Others get null. */
  seenBy?: 'administrators';
}>;

/**
 * The key of a field's word in the log. One that holds the id of another row is told by that row's name, under `as`.
 */
export type AuditedField = Readonly<{ text: string; refersTo?: ReferencedEntity; as?: string }>;

/** The kinds of rows that a field can refer to by id. */
export type ReferencedEntity = 'user' | 'school' | 'category' | 'activity';

/**
 * What stands in a column of a file: a text, a day, what a clock on the wall shows ('2026-03-04 17:05'), hours or an
 * amount of money, both with two decimals, or a whole number.
 */
export type ColumnKind = 'text' | 'day' | 'moment' | 'hours' | 'money' | 'number';

/** The fields of a record by their names on the wire. */
export type Fields = Readonly<Record<string, Field>>;

/** The values of a record's fields, as they are on the wire. */
export type ValuesOf<F extends Fields> = { [Name in keyof F]: ReturnType<F[Name]['fromColumn']> };

/** The same as stored, by column. */
export type ColumnsOf<F extends Fields> = {
  [Name in keyof F as F[Name]['column']]: ReturnType<F[Name]['toColumn']>;
};

/** A change of the fields; absent ones keep their values. */
export type ChangeOf<F extends Fields> = { [Name in keyof F]?: ValuesOf<F>[Name] | undefined };

/** The fields as input; nullable ones may be left out. */
export type InputOf<F extends Fields> = {
  [Name in keyof F as null extends ValuesOf<F>[Name] ? never : Name]: ValuesOf<F>[Name];
} & {
  [Name in keyof F as null extends ValuesOf<F>[Name] ? Name : never]?: ValuesOf<F>[Name] | undefined;
};

/** A field that is stored as it is on the wire. */
export const plainField = <Value>() => ({
  toColumn: (value: Value): Value => value,
  fromColumn: (stored: Value): Value => stored,
});

/** Hours, stored as whole hundredths. */
export const hoursInHundredths = {
  toColumn: (hours: Hours): number => toHundredths(hours),
  fromColumn: (stored: number): Hours => fromHundredths(stored),
};

/** True or false, stored as 1 or 0. */
export const booleanField = {
  toColumn: (isSo: boolean): 0 | 1 => (isSo ? 1 : 0),
  fromColumn: (stored: 0 | 1): boolean => stored === 1,
};

/** Values as they are stored, by column and in the order of the list. */
export function toColumns<F extends Fields>(fields: F, values: ValuesOf<F>): ColumnsOf<F> {
  const columns: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) columns[field.column] = field.toColumn(values[name]);
  return columns as ColumnsOf<F>;
}

/** A row's columns as they are on the wire, for an administrator or for others. */
export function fromColumns<F extends Fields>(
  fields: F,
  row: ColumnsOf<F>,
  isAdministrator = true,
): ValuesOf<F> {
  const columns = row as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const name in fields) {
    const { column, seenBy, fromColumn } = fields[name] as Field;
    const isHidden = seenBy === 'administrators' && !isAdministrator;
    values[name] = isHidden ? null : fromColumn(columns[column]);
  }
  return values as ValuesOf<F>;
}

/** Only the values of these fields from a record. */
export function fieldsOf<F extends Fields>(fields: F, record: ValuesOf<F>): ValuesOf<F> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) values[name] = record[name];
  return values as ValuesOf<F>;
}

/** The values that an input gives to a new record: what it leaves out is null. */
export function newRecordValues<F extends Fields>(fields: F, input: InputOf<F>): ValuesOf<F> {
  const given = input as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) values[name] = given[name] ?? null;
  return values as ValuesOf<F>;
}

/** The values after a change; absent fields keep theirs. */
export function changedFields<F extends Fields>(
  fields: F,
  before: ValuesOf<F>,
  change: ChangeOf<F>,
): ValuesOf<F> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) {
    values[name] = change[name] === undefined ? before[name] : change[name];
  }
  return values as ValuesOf<F>;
}

/** The columns of a list, in its order. */
export function columnNames(fields: Fields): string[] {
  return Object.values(fields).map(({ column }) => column);
}

/** The columns of a list, each with its table, for a query to select. */
export function columnsIn<Table extends string, F extends Fields>(
  table: Table,
  fields: F,
): `${Table}.${F[keyof F]['column']}`[] {
  return columnNames(fields).map((column) => `${table}.${column}` as `${Table}.${F[keyof F]['column']}`);
}

/** The list without the fields that only administrators see: nobody may write what they cannot see. */
export function publicFields<F extends Fields>(fields: F): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.seenBy === undefined));
}

/** The list without some of its fields. */
export function withoutFields<F extends Fields, Name extends keyof F & string>(
  fields: F,
  ...names: readonly Name[]
): Omit<F, Name> {
  const left = Object.entries(fields).filter(([name]) => !names.some((other) => other === name));
  return Object.fromEntries(left) as unknown as Omit<F, Name>;
}
