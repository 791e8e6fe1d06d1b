import { readTable, type TableRow, unreadableFileError } from '#server/export/read-csv-table.ts';
import { mapYielding } from '#server/process/event-loop.ts';
import { foldForSearch, normalizeText } from '#shared/text-normalization.ts';
import { IMPORT, IMPORT_COLUMNS, type ImportColumn, messages } from '../contract.ts';

/** A row of the file; `row` counts as a spreadsheet does, with the column names in row 1. */
export type CsvRow = Readonly<{
  row: number;
  cells: Readonly<Record<ImportColumn, string>>;
  hasTooManyCells: boolean;
  /** The status in the file of a person who has left, such as 'tobedeleted'. */
  gone: string | undefined;
}>;

/** A file's non-empty rows, and its unknown columns. */
export type CsvFile = Readonly<{
  rows: readonly CsvRow[];
  unusedColumns: readonly string[];
  /** Whether this is a OneRoster file. Its roles are roles at a school, not in this app. */
  isRoster: boolean;
}>;

/** Column names used by other programs, in English and Spanish, without case, accents, spaces and punctuation. */
const COLUMN_NAMES: Readonly<Record<ImportColumn, readonly string[]>> = {
  firstName: ['firstname', 'first', 'givenname', 'forename', 'nombre', 'nombres'],
  lastName: ['lastname', 'last', 'surname', 'familyname', 'apellido', 'apellidos'],
  email: ['email', 'emailaddress', 'mail', 'correo', 'correoelectronico'],
  role: ['role', 'userrole', 'funcion', 'rol'],
  schools: ['schools', 'school', 'schoolname', 'schoolnames', 'escuelas', 'escuela'],
};

/**
 * Parses a file of people, with columns in any order. Throws 400 on the field 'csv' when the file as a whole is
 * unreadable.
 */
export async function parsePeopleCsv(text: string): Promise<CsvFile> {
  const rules = { ...messages, rows: IMPORT.rows };
  const { header, rows } = await readTable(text, rules, mapColumns);
  const columns = mapColumns(header);
  return {
    rows: await mapYielding(rows, (row) => toCsvRow(row, columns)),
    unusedColumns: columns.unused,
    isRoster: columns.isRoster,
  };
}

type Columns = Readonly<{
  columnIndexes: ReadonlyMap<ImportColumn, number>;
  count: number;
  unused: readonly string[];
  isRoster: boolean;
  /** The positions of the columns with a person's status. */
  states: readonly number[];
}>;

function mapColumns(header: readonly string[]): Columns {
  const columnIndexes = new Map<ImportColumn, number>();
  const unused: string[] = [];
  const states: number[] = [];
  const keys = header.map(columnKey);
  const isRoster = ROSTER.every((key) => keys.includes(key));
  for (const [at, title] of header.entries()) {
    const column = findColumn(title);
    if (isRoster && STATES.includes(keys[at] ?? '')) states.push(at);
    else if (column === undefined) unused.push(normalizeText(title));
    else if (columnIndexes.has(column)) throw unreadableFileError(messages.columnTwice(column));
    else columnIndexes.set(column, at);
  }
  const missing = (['firstName', 'lastName', 'email'] as const).filter(
    (column) => !columnIndexes.has(column),
  );
  if (missing.length > 0) throw unreadableFileError(messages.columnsMissing(missing.join(', ')));
  return {
    columnIndexes,
    count: header.length,
    unused: unused.filter((title) => title !== ''),
    isRoster,
    states,
  };
}

function findColumn(title: string): ImportColumn | undefined {
  const name = columnKey(title);
  return IMPORT_COLUMNS.find((column) => COLUMN_NAMES[column].includes(name));
}

function columnKey(title: string): string {
  return foldForSearch(title).replace(/[^a-z0-9]/g, '');
}

// Column names of OneRoster's users.csv, and the status values of a person who has not left.
const ROSTER = ['givenname', 'familyname'];
const STATES = ['status', 'enableduser'];
const ACTIVE_STATES = ['', 'active', 'true'];

function toCsvRow({ row, cells }: TableRow, { columnIndexes, count, states }: Columns): CsvRow {
  const cell = (column: ImportColumn) =>
    normalizeText(cells[columnIndexes.get(column) ?? cells.length] ?? '');
  const gone = states
    .map((at) => normalizeText(cells[at] ?? ''))
    .find((state) => !ACTIVE_STATES.includes(foldForSearch(state)));
  return {
    row,
    cells: {
      firstName: cell('firstName'),
      lastName: cell('lastName'),
      email: cell('email'),
      role: cell('role'),
      schools: cell('schools'),
    },
    gone,
    hasTooManyCells: cells.slice(count).some((extra) => normalizeText(extra) !== ''),
  };
}
