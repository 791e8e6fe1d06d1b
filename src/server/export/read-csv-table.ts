import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { normalizeText } from '#shared/text-normalization.ts';
import { removeFormulaGuard } from './csv-lines.ts';

/** A row of a file; `row` counts as a spreadsheet does, the names of the columns mostly in row 1. */
export type TableRow = Readonly<{ row: number; cells: readonly string[] }>;

/** A file's first row, and the others without the empty ones. */
export type Table = Readonly<{ header: readonly string[]; rows: readonly TableRow[] }>;

/** How many rows a file may have, and what is said when it cannot be read; `row` is where a quotation mark opens. */
export type TableRules = Readonly<{
  rows: number;
  fileEmpty: Message;
  tooManyRows: Message;
  quoteOpen: (row: number) => Message;
}>;

const DELIMITERS = [',', ';', '\t'] as const;
const PIECE_BYTES = 65_536;
const ROWS_AT_ONCE = 500;

/**
 * Reads a file of rows: comma, semicolon or tab, quoted fields, any line ends. Other requests get their turn in between.
 * What is wrong with the file as a whole is refused as invalid, on the field 'csv'. `checkHeader` may refuse the first
 * row before the others are read.
 */
export async function readTable(
  text: string,
  rules: TableRules,
  checkHeader: (header: readonly string[]) => void = () => undefined,
): Promise<Table> {
  const [delimiter, content] = delimiterOf(text.replace(/^\uFEFF/, ''));
  const parser = Readable.from(piecesOf(content)).pipe(
    parse({
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
    }),
  );
  let header: readonly string[] | undefined;
  const rows: TableRow[] = [];
  let row = 0;
  try {
    for await (const record of parser) {
      row += 1;
      // A file that we wrote comes back as it was.
      const cells: string[] = record.map(removeFormulaGuard);
      if (cells.every((cell) => normalizeText(cell) === '')) continue;
      if (header === undefined) {
        header = cells;
        checkHeader(header);
      } else rows.push({ row, cells });
      if (rows.length > rules.rows) throw unreadableFileError(rules.tooManyRows);
      if (row % ROWS_AT_ONCE === 0) await turn();
    }
  } catch (error) {
    // Only an unclosed quotation mark can fail; it opens after the rows parsed so far.
    if (error instanceof CsvError) throw unreadableFileError(rules.quoteOpen(Number(error['records']) + 1));
    throw error;
  }
  if (header === undefined || rows.length === 0) throw unreadableFileError(rules.fileEmpty);
  return { header, rows };
}

/** The refusal of a file as a whole. */
export function unreadableFileError(problem: Message) {
  return errors.invalid(problem, { csv: problem });
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
