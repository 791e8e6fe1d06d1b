import { csvLines } from './csv-lines.ts';
import type { Piece, Row, Table } from './export-table.ts';

// The byte order mark, by which Excel recognizes UTF-8.
const MARK = '\uFEFF';

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
