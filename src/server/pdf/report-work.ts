import { buffer } from 'node:stream/consumers';
import type { Piece } from '../export/export-table.ts';
import type { ReportContent } from './report-workers.ts';

// Each kind of report is loaded on first use.
/** Renders a report file. */
export async function work(content: ReportContent): Promise<Buffer> {
  if (content.kind === 'pdf') {
    const { pdfOf } = await import('./document.ts');
    return buffer(pdfOf(content.document));
  }
  if (content.kind === 'letters') {
    const { lettersPdf } = await import('./certificate.ts');
    return buffer(await lettersPdf(content.letters));
  }
  if (content.kind === 'sign-in-sheet') {
    const { signInSheetPdf } = await import('./sign-in-sheet.ts');
    return buffer(signInSheetPdf(content.sheet));
  }
  const pages = (async function* () {
    yield content.rows;
  })();
  if (content.kind === 'csv') {
    const { csvOf } = await import('../export/csv.ts');
    return gathered(csvOf(content.table, pages));
  }
  const { xlsxOf } = await import('../export/xlsx.ts');
  return gathered(xlsxOf(content.table, pages));
}

async function gathered(pieces: AsyncIterable<Piece>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of pieces) parts.push(bytes);
  return Buffer.concat(parts);
}
