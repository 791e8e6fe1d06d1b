import { fromHundredths, type Hours, toHundredths } from './hours.ts';

/**
 * A field of a record that users fill in: its column, the conversions to and from it, and its name in the
 * audit log. Each record has one list of its fields, by their wire names, which all code that stores, shows,
 * changes, logs or exports the record reads.
 */
export type Field = Readonly<{
  column: string;
  toColumn(value: unknown): unknown;
  fromColumn(stored: unknown): unknown;
  log: AuditedField;
  /** Who can see the value among users who can see the record; everyone by default. Others get null. */
  seenBy?: 'administrators';
}>;

/**
 * The message key of the field's name in the audit log. A reference to another row is logged with that row's name, under `as`.
 */
export type AuditedField = Readonly<{ text: string; refersTo?: ReferencedEntity; as?: string }>;

/** The kinds of rows that a field can refer to by id. */
export type ReferencedEntity = 'user' | 'school' | 'category' | 'activity';

/**
 * The type of an exported column: text, day, local date and time ('2026-03-04 17:05'), hours or money, both
 * with two decimals, or a whole number.
 */
export type ColumnKind = 'text' | 'day' | 'moment' | 'hours' | 'money' | 'number';

/** The fields of a record, by wire name. */
export type Fields = Readonly<Record<string, Field>>;

/** The wire values of a record's fields. */
export type ValuesOf<F extends Fields> = { [Name in keyof F]: ReturnType<F[Name]['fromColumn']> };

/** The stored values, by column. */
export type ColumnsOf<F extends Fields> = {
  [Name in keyof F as F[Name]['column']]: ReturnType<F[Name]['toColumn']>;
};

/** A change of the fields. Absent fields do not change. */
export type ChangeOf<F extends Fields> = { [Name in keyof F]?: ValuesOf<F>[Name] | undefined };

/** The fields as input; nullable ones may be omitted. */
export type InputOf<F extends Fields> = {
  [Name in keyof F as null extends ValuesOf<F>[Name] ? never : Name]: ValuesOf<F>[Name];
} & {
  [Name in keyof F as null extends ValuesOf<F>[Name] ? Name : never]?: ValuesOf<F>[Name] | undefined;
};

/** A field whose stored value is its wire value. */
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

/** Converts wire values to columns, in the order of the list. */
export function toColumns<F extends Fields>(fields: F, values: ValuesOf<F>): ColumnsOf<F> {
  const columns: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(fields)) columns[field.column] = field.toColumn(values[name]);
  return columns as ColumnsOf<F>;
}

/** Converts a row's columns to wire values. Fields that only administrators can see are null unless `isAdministrator`. */
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

/** Picks the values of these fields from a record. */
export function fieldsOf<F extends Fields>(fields: F, record: ValuesOf<F>): ValuesOf<F> {
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) values[name] = record[name];
  return values as ValuesOf<F>;
}

/** The values of a new record from an input; omitted ones are null. */
export function newRecordValues<F extends Fields>(fields: F, input: InputOf<F>): ValuesOf<F> {
  const given = input as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  for (const name of Object.keys(fields)) values[name] = given[name] ?? null;
  return values as ValuesOf<F>;
}

/** Applies a change. Absent fields do not change. */
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

/** The columns of a list of fields, in order. */
export function columnNames(fields: Fields): string[] {
  return Object.values(fields).map(({ column }) => column);
}

/** The columns of a list of fields, qualified with their table, for a select. */
export function columnsIn<Table extends string, F extends Fields>(
  table: Table,
  fields: F,
): `${Table}.${F[keyof F]['column']}`[] {
  return columnNames(fields).map((column) => `${table}.${column}` as `${Table}.${F[keyof F]['column']}`);
}

/** The fields without those that only administrators can see, because users may not write what they cannot see. */
export function publicFields<F extends Fields>(fields: F): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, field]) => field.seenBy === undefined));
}

/** The fields except those with these names. */
export function withoutFields<F extends Fields, Name extends keyof F & string>(
  fields: F,
  ...names: readonly Name[]
): Omit<F, Name> {
  const left = Object.entries(fields).filter(([name]) => !names.some((other) => other === name));
  return Object.fromEntries(left) as unknown as Omit<F, Name>;
}
