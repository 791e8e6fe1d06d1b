import { buffer } from 'node:stream/consumers';
import type { Piece } from '../export/export-table.ts';
import type { ReportContent } from './report-workers.ts';

// Each kind of report is loaded on first use.
/** Renders a report file. */
export async function work(content: ReportContent): Promise<Buffer> {
  if (content.kind === 'pdf') {
    const { renderPdf } = await import('./document.ts');
    return buffer(renderPdf(content.document));
  }
  if (content.kind === 'letters') {
    const { renderLettersPdf } = await import('./certificate.ts');
    return buffer(await renderLettersPdf(content.letters));
  }
  if (content.kind === 'sign-in-sheet') {
    const { renderSignInSheetPdf } = await import('./sign-in-sheet.ts');
    return buffer(renderSignInSheetPdf(content.sheet));
  }
  const pages = (async function* () {
    yield content.rows;
  })();
  if (content.kind === 'csv') {
    const { writeCsv } = await import('../export/csv.ts');
    return gathered(writeCsv(content.table, pages));
  }
  const { writeXlsx } = await import('../export/xlsx.ts');
  return gathered(writeXlsx(content.table, pages));
}

async function gathered(pieces: AsyncIterable<Piece>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of pieces) parts.push(bytes);
  return Buffer.concat(parts);
}
