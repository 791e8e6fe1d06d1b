import { stringify } from 'csv-stringify/sync';
import type { Piece, Row, Table } from './table.ts';

// The mark by which Excel recognizes UTF-8.
const MARK = '\uFEFF';

/**
 * A table as CSV, page by page: UTF-8 with a byte order mark, the titles first, lines ended as RFC 4180 requires. A
 * text that a spreadsheet would read as a formula gets an apostrophe in front.
 */
export async function* csvOf(
  { columns }: Table,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Piece> {
  let rows = 0;
  yield { bytes: Buffer.from(MARK + lines([columns.map(({ title }) => title)])), rows };
  for await (const page of pages) {
    rows += page.length;
    yield { bytes: Buffer.from(lines(page)), rows };
  }
}

function lines(rows: readonly Row[]): string {
  return stringify([...rows], { escape_formulas: true, record_delimiter: 'windows' });
}
