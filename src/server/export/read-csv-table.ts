import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { CsvError, parse } from 'csv-parse';
import { errors } from '#shared/errors.ts';
import type { Message } from '#shared/i18n/message.ts';
import { normalizeText } from '#shared/text-normalization.ts';
import { removeFormulaGuard } from './csv.ts';

/** A row of a file; `row` counts like a spreadsheet, with the header usually in row 1. */
export type TableRow = Readonly<{ row: number; cells: readonly string[] }>;

/** A file's header, and its other rows without empty ones. */
export type Table = Readonly<{ header: readonly string[]; rows: readonly TableRow[] }>;

/** The row limit, and the messages for an unreadable file. `row` is the row of the unclosed quotation mark. */
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
 * Parses a CSV file: comma, semicolon or tab, quoted fields, any line ends. Yields to other requests. Throws
 * 400 on the field 'csv' for an invalid file. `checkHeader` may reject the header before the rows are parsed.
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
      // Cells of the product's own exports lose their formula guard.
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

/** The error for an unreadable file. */
export function unreadableFileError(problem: Message) {
  return errors.invalid(problem, { csv: problem });
}

// Uses the delimiter of Excel's first line 'sep=;', else the most frequent candidate in the header, outside
// of quotes.
function delimiterOf(text: string): [delimiter: string, content: string] {
  const [said, sign] = /^sep=([,;\t])\r?\n?/i.exec(text) ?? [];
  if (said !== undefined && sign !== undefined) return [sign, text.slice(said.length)];
  const header = /^\s*((?:"[^"]*"|[^"\r\n])*)/.exec(text.slice(0, PIECE_BYTES))?.[1] ?? '';
  const bare = header.replace(/"[^"]*"/g, '');
  const count = (delimiter: string) => bare.split(delimiter).length;
  const [most] = DELIMITERS.toSorted((a, b) => count(b) - count(a));
  return [most ?? ',', text];
}

// As bytes, because cutting the text could split a surrogate pair.
function* piecesOf(text: string): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
