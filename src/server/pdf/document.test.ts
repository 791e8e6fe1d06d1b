import { buffer } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { readPdf } from '#test/pdf.ts';
import { type PdfBlock, pdfOf } from './document.ts';

const SIGNED: readonly PdfBlock[] = [
  { kind: 'text', text: 'Vera Volt gave hours.' },
  { kind: 'signatures', labels: ['Signature of the volunteer', 'Date'] },
];

test('signatures stand on a page with the last row of what is signed', async () => {
  const counts: number[] = [];
  for (const rows of [20, 21, 22, 23, 24, 25]) {
    const pages = await pagesOf([tableOf('Row', rows), ...SIGNED]);
    counts.push(pages.length);
    expect(pages.join(' ').match(/Row \d+/g), `${rows} rows`).toHaveLength(rows);
    expect(pages.at(-1), `${rows} rows`).toMatch(new RegExp(`Row ${rows} .* Signature of the volunteer`));
  }
  // Both are among them.
  expect(new Set(counts)).toEqual(new Set([1, 2]));
});

test('a school with one row that is signed has its heading on that page', async () => {
  for (const rows of [16, 17, 18, 19, 20]) {
    const pages = await pagesOf([
      tableOf('Row', rows),
      { kind: 'heading', text: 'Cedar Middle' },
      tableOf('Garden', 1),
      ...SIGNED,
    ]);
    expect(pages.at(-1), `${rows} rows`).toMatch(/Cedar Middle .*Garden 1 .* Signature of the volunteer/);
  }
});

function tableOf(name: string, rows: number): PdfBlock {
  return {
    kind: 'table',
    columns: [
      { title: 'Activity', width: 0.8 },
      { title: 'Hours', width: 0.2, isNumber: true },
    ],
    rows: Array.from({ length: rows }, (_, row) => [`${name} ${row + 1}`, '1']),
    total: ['Total', String(rows)],
  };
}

/** The words of each page of a document with these blocks below a title. */
async function pagesOf(blocks: readonly PdfBlock[]): Promise<string[]> {
  const pdf = pdfOf({
    title: 'Statement',
    language: 'en',
    foot: '',
    page: 'Page {page} ends.',
    blocks: [{ kind: 'title', text: 'Statement', under: ['Vera Volt'] }, ...blocks],
  });
  const { text } = readPdf(await buffer(pdf));
  const pages = text.replaceAll(/\s+/g, ' ').split(/Page \d+ ends\./);
  return pages.filter((page) => page.trim() !== '');
}
