import type { Piece, Row, Table } from './export-table.ts';

// The byte order mark, by which Excel recognizes UTF-8.
const MARK = '\uFEFF';

/**
 * Matches text that a spreadsheet would treat as a formula: `=`, `+`, `-` or `@`, also full-width, followed by
 * more text, or a tab or carriage return. Leading blanks are ignored. A lone dash is plain text.
 */
export const FORMULA = /^\s*(?:[=+\-@＝＋－＠](?![\s-]*$)|\t|\r)/;
const GUARDED = /^'(?=\s*[=+\-@＝＋－＠\t\r])/;
// Also quote fields with any reader's separators or line breaks, and with blanks that some readers would
// trim.
const QUOTED = /[",;\t\r\n]|^\s|\s$/;

/**
 * Formats rows as CSV with RFC 4180 line ends. Text that a spreadsheet would treat as a formula gets a
 * leading apostrophe.
 */
export function csvLines(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** Removes the apostrophe that `csvLines` added. */
export function removeFormulaGuard(text: string): string {
  return text.replace(GUARDED, '');
}

function cell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value);
  const safe = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return QUOTED.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as CSV, page by page: UTF-8 with a byte order mark, titles first. */
export async function* writeCsv(
  { columns }: Table,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Piece> {
  let rows = 0;
  yield { bytes: Buffer.from(MARK + csvLines([columns.map(({ title }) => title)])), rows };
  for await (const page of pages) {
    rows += page.length;
    yield { bytes: Buffer.from(csvLines(page)), rows };
  }
}
