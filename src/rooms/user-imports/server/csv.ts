import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { refuse } from '#base/refusal.ts';
import { clean, fold } from '#base/text.ts';
import { IMPORT, IMPORT_COLUMNS, type ImportColumn, messages } from '../contract.ts';

/** A row as the file has it; `row` counts as a spreadsheet does, the names of the columns in row 1. */
export type CsvRow = Readonly<{
  row: number;
  cells: Readonly<Record<ImportColumn, string>>;
  hasTooManyCells: boolean;
}>;

/** A file's rows without the empty ones, and its unknown columns. */
export type CsvFile = Readonly<{ rows: readonly CsvRow[]; unusedColumns: readonly string[] }>;

/** Column names used by other programs, without case, accents, spaces and punctuation. */
const NAMES: Readonly<Record<ImportColumn, readonly string[]>> = {
  firstName: ['firstname', 'first', 'givenname', 'forename'],
  lastName: ['lastname', 'last', 'surname', 'familyname'],
  email: ['email', 'emailaddress', 'mail'],
  role: ['role', 'userrole'],
  schools: ['schools', 'school', 'schoolname', 'schoolnames'],
};

const DELIMITERS = [',', ';', '\t'] as const;
const PIECE_BYTES = 65_536;
const ROWS_AT_ONCE = 500;

/**
 * Reads a file of people: comma, semicolon or tab, quoted fields, any line ends, columns in any order. Other requests
 * get their turn in between. What is wrong with the file as a whole is refused as invalid, on the field 'csv'.
 */
export async function readCsv(text: string): Promise<CsvFile> {
  const [delimiter, content] = delimiterOf(text.replace(/^\uFEFF/, ''));
  const parser = Readable.from(piecesOf(content)).pipe(
    parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    }),
  );
  let columns: Columns | undefined;
  const rows: CsvRow[] = [];
  let row = 0;
  try {
    for await (const record of parser) {
      row += 1;
      const cells: string[] = record;
      if (cells.every((cell) => clean(cell) === '')) continue;
      if (columns === undefined) columns = columnsIn(cells);
      else rows.push(asRow(row, cells, columns));
      if (rows.length > IMPORT.rows) throw unreadable(messages.tooManyRows);
      if (row % ROWS_AT_ONCE === 0) await turn();
    }
  } catch (error) {
    // Only an unclosed quotation mark can fail; it opens after the rows parsed so far.
    if (error instanceof CsvError) throw unreadable(messages.quoteOpen(Number(error['records']) + 1));
    throw error;
  }
  if (columns === undefined || rows.length === 0) throw unreadable(messages.fileEmpty);
  return { rows, unusedColumns: columns.unused };
}

type Columns = Readonly<{
  places: ReadonlyMap<ImportColumn, number>;
  count: number;
  unused: readonly string[];
}>;

function columnsIn(header: readonly string[]): Columns {
  const places = new Map<ImportColumn, number>();
  const unused: string[] = [];
  for (const [at, title] of header.entries()) {
    const column = columnCalled(title);
    if (column === undefined) unused.push(clean(title));
    else if (places.has(column)) throw unreadable(messages.columnTwice(column));
    else places.set(column, at);
  }
  const missing = (['firstName', 'lastName', 'email'] as const).filter((column) => !places.has(column));
  if (missing.length > 0) throw unreadable(messages.columnsMissing(missing.join(', ')));
  return { places, count: header.length, unused: unused.filter((title) => title !== '') };
}

function columnCalled(title: string): ImportColumn | undefined {
  const name = fold(title).replace(/[^a-z0-9]/g, '');
  return IMPORT_COLUMNS.find((column) => NAMES[column].includes(name));
}

function asRow(row: number, cells: readonly string[], { places, count }: Columns): CsvRow {
  const cell = (column: ImportColumn) => clean(cells[places.get(column) ?? cells.length] ?? '');
  return {
    row,
    cells: {
      firstName: cell('firstName'),
      lastName: cell('lastName'),
      email: cell('email'),
      role: cell('role'),
      schools: cell('schools'),
    },
    hasTooManyCells: cells.slice(count).some((extra) => clean(extra) !== ''),
  };
}

// Excel writes 'sep=;' into a first line of its own. Otherwise the sign that the first row has most of, outside of
// quotes.
function delimiterOf(text: string): [delimiter: string, content: string] {
  const [said, sign] = /^sep=([,;\t])\r?\n?/i.exec(text) ?? [];
  if (said !== undefined && sign !== undefined) return [sign, text.slice(said.length)];
  const header = /^\s*((?:"[^"]*"|[^"\r\n])*)/.exec(text.slice(0, PIECE_BYTES))?.[1] ?? '';
  const bare = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => bare.split(delimiter).length;
  const [most] = DELIMITERS.toSorted((a, b) => count(b) - count(a));
  return [most ?? ',', text];
}

// As bytes: cutting the text could split a surrogate pair.
function* piecesOf(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function unreadable(problem: ReturnType<typeof messages.quoteOpen>) {
  return refuse.invalid(problem, { csv: problem });
}
